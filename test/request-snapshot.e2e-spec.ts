import { getStore, runWith } from '../src/common/context/request-store.js';
import { TableVersions } from '../src/database/table-versions.service.js';
import { Transactions } from '../src/database/transactions.js';
import { OptionWriter } from '../src/wordpress/options/option-writer.js';
import { SettingsService } from '../src/wordpress/options/settings.service.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

describe('the snapshot of a request', () => {
  let site: WriteFixture;
  /** Calls of `TableVersions.latest` and of the settings cache within requests. */
  let calls: string[];

  beforeAll(async () => {
    site = await openWriteFixture('SQLite');
    const versions = site.app.nest.get(TableVersions);
    const latest = versions.latest.bind(versions);
    jest.spyOn(versions, 'latest').mockImplementation(() => {
      if (getStore()?.scope) calls.push('versions');
      return latest();
    });
    // Each determination of the settings reads this cache once.
    const { cache } = site.app.nest.get(SettingsService) as unknown as { cache: { get(): Promise<unknown> } };
    const get = cache.get.bind(cache);
    jest.spyOn(cache, 'get').mockImplementation((...args) => {
      if (getStore()?.scope) calls.push('settings');
      return get(...args);
    });
  });
  afterAll(async () => site?.close());
  beforeEach(() => {
    calls = [];
  });

  it.each([
    '/events?start_date=2000-01-01',
    '/venues',
    '/venues?geoloc=true',
    '/categories',
    '/tags?per_page=3',
  ])('is taken once, as are the settings, by GET %s', async (path) => {
    expect((await site.send('anonymous', 'GET', path)).status).toBe(200);
    expect(calls.sort()).toEqual(['settings', 'versions']);
  });

  it('is taken once by an authenticated request', async () => {
    expect((await site.send('admin', 'GET', '/events?start_date=2000-01-01')).status).toBe(200);
    expect(calls.sort()).toEqual(['settings', 'versions']);
  });

  it('is taken again after a commit of the same request', async () => {
    const versions = site.app.nest.get(TableVersions);
    const contentVersions: (number | undefined)[] = [];
    const bump = versions.bump.bind(versions);
    jest.spyOn(versions, 'bump').mockImplementationOnce(async (duration) => {
      contentVersions.push((await versions.snapshot())?.contentVersion);
      await bump(duration);
      contentVersions.push((await versions.snapshot())?.contentVersion);
    });
    const { id } = await site.create({ title: 'New' });
    const [before = Number.NaN, after] = contentVersions;
    expect(after).toBeGreaterThan(before);
    expect((await site.send('anonymous', 'GET', `/events/${String(id)}`)).body['title']).toBe('New');
  });

  it('contains new settings after the same request changes an option', async () => {
    const { nest } = site.app;
    const [settings, transactions] = [nest.get(SettingsService), nest.get(Transactions)];
    const day = async () => (await settings.current()).options.get('start_of_week');
    const days = await runWith({ request: { id: 'a' }, caller: { aborted: false }, scope: {} }, async () => {
      const before = await day();
      await transactions.run(async (transaction) => {
        await nest.get(OptionWriter).set(transaction, 'start_of_week', before === '3' ? '4' : '3');
        transaction.afterCommit(() => settings.forget());
      });
      return [before, await day()];
    });
    expect(days[1]).toBe(days[0] === '3' ? '4' : '3');
  });

  it('is no older than the request', async () => {
    const { id } = await site.create({ title: 'First' });
    for (const title of ['Second', 'Third']) {
      expect((await site.update(id, { title }))['title']).toBe(title);
      expect((await site.send('anonymous', 'GET', `/events/${String(id)}`)).body['title']).toBe(title);
    }
  });
});
