import { AlmanacError, applicationPassword, createAlmanacClient, type SyncBatch } from 'almanac-client';
import { ChangeStreams } from '../src/changes/change-streams.service.js';
import { type ChangesSite, openChangesSite } from './support/changes-site.js';
import { loadRecording } from './support/replay.js';
import { describeEither } from './support/sites.js';
import { EVENT } from './support/write-fixture.js';

const { login = '', password = '' } = loadRecording('site-a/write').users['admin'] ?? {};

describeEither("almanac-client's sync", (database) => {
  let site: ChangesSite;
  beforeAll(async () => {
    site = await openChangesSite(database);
  });
  afterAll(() => site?.close());

  const visitor = () => createAlmanacClient({ baseUrl: site.app.url });
  const admin = () =>
    createAlmanacClient({ baseUrl: site.app.url, auth: applicationPassword(login, password) });
  const streams = () => site.app.nest.get(ChangeStreams, { strict: false });

  it('reads everything, and later what has changed since', async () => {
    const copy = new Map<string, { id: number }>();
    let token = '';
    const batches: SyncBatch[] = [];
    const apply = (batch: SyncBatch) => {
      if (batch.reset) copy.clear();
      for (const { type, id, record } of batch.changes) {
        if (record) copy.set(`${type} ${id}`, record);
        else copy.delete(`${type} ${id}`);
      }
      token = batch.token;
      batches.push(batch);
    };
    for await (const batch of visitor().sync()) apply(batch);
    expect(batches.map(({ reset }) => reset)).toEqual(batches.map((_, at) => at === 0));
    expect(batches.map(({ complete }) => complete)).toEqual(
      batches.map((_, at) => at === batches.length - 1),
    );
    const venues = await visitor().venues.list({ per_page: 50 });
    for (const venue of venues.items)
      expect(copy.get(`venues ${venue.id}`)).toMatchObject({ venue: venue.venue });

    const event = await admin().events.create({ ...EVENT, title: 'Copied' });
    for await (const batch of visitor().sync({ since: token })) apply(batch);
    expect(copy.get(`events ${event.id}`)).toMatchObject({ title: 'Copied' });
    await admin().events.trash(event.id);
    for await (const batch of visitor().sync({ since: token })) apply(batch);
    expect(copy.has(`events ${event.id}`)).toBe(false);
    expect(batches.at(-1)?.reset).toBe(false);
  });

  it('types records by their kind', async () => {
    for await (const { changes } of visitor().sync({ types: ['tags', 'organizers'] }))
      for (const change of changes) {
        if (change.deleted) continue;
        const text: string = change.type === 'tags' ? change.record.name : change.record.date_utc;
        expect(typeof text).toBe('string');
      }
  });

  it('begins again, and says so, where the token has expired', async () => {
    const [first] = await collect(visitor().sync({ types: ['tags'] }));
    const batches = await collect(admin().sync({ since: first?.token, types: ['tags'] }));
    expect([batches[0]?.reset, batches.at(-1)?.complete]).toEqual([true, true]);
    expect(batches.flatMap(({ changes }) => changes).length).toBeGreaterThan(0);
  });

  it('rejects with the error of the server where there is nothing to read', async () => {
    const sync = visitor().sync({ since: 'x' });
    await expect(sync.next()).rejects.toMatchObject({ status: 400, code: 'rest_invalid_param' });
    await expect(sync.next()).resolves.toMatchObject({ done: true });
    const wrong = createAlmanacClient({ baseUrl: site.app.url, auth: applicationPassword(login, 'wrong') });
    await expect(collect(wrong.sync({ follow: true }))).rejects.toBeInstanceOf(AlmanacError);
  });

  it('follows changes as they happen, opens a broken stream again, and ends with its signal', async () => {
    const stop = new AbortController();
    const titles: string[] = [];
    const expected: string[] = [];
    const ended = (async () => {
      const options = { types: ['events'], follow: true, signal: stop.signal } as const;
      for await (const { changes } of visitor().sync(options))
        for (const { change, record } of changes)
          if (change !== 'deleted' && record) titles.push(record.title);
    })();
    const until = async (isMet: () => boolean) => {
      while (!isMet()) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const write = async (title: string) => {
      await admin().events.create({ ...EVENT, title });
      expected.push(title);
      await until(() => titles.includes(title));
    };
    await until(() => streams().count === 1);
    await write('Live one');
    await write('Live two');
    streams().closeAll();
    await write('While it was closed');
    await until(() => streams().count === 1);
    await write('Live three');
    expect(titles.filter((title) => expected.includes(title))).toEqual(expected);
    stop.abort(new Error('enough'));
    await expect(ended).rejects.toThrow('enough');
    await until(() => streams().count === 0);
  });
});

async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
}
