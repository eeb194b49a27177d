import { startTestServer, type TestServer } from 'almanac/testing';
import { DataSource } from 'typeorm';
import { Hooks } from '../src/common/hooks/hooks.js';
import { postHooks } from '../src/resources/base/resource-hooks.js';
import { EVENT } from '../src/resources/events/event-type.js';
import { Option } from '../src/wordpress/options/option.entity.js';
import { SettingsService } from '../src/wordpress/options/settings.service.js';

const EVENTS = '/cal/events/v1/events';
const DAY = { start_date: '2030-01-20 20:00:00', end_date: '2030-01-20 23:00:00' };
const { validateInsert, writeFailed, afterInsert } = postHooks(EVENT);

describe('a hook inside a transaction', () => {
  let server: TestServer;
  let hooks: Hooks;
  const errors: unknown[] = [];
  beforeAll(async () => {
    server = await startTestServer();
    hooks = server.app.get(Hooks);
    hooks.addAction(writeFailed, ({ error }) => void errors.push(error));
  });
  afterAll(() => server?.close());

  const create = (title: string) => server.asAdmin().post(EVENTS, { ...DAY, title });
  const count = () => server.app.get(DataSource).manager.countBy(Option, { name: 'siteurl' });

  it('cannot use a repository, which would take another connection on MySQL', async () => {
    hooks.addAction(validateInsert, async ({ fields }) => {
      if (fields.title === 'Foreign') await count();
    });
    expect((await create('Foreign')).status).toBe(500);
    expect(errors).toMatchObject([
      {
        message: expect.stringMatching(/^The hook rest_validate_insert_tribe_events .* transaction\.manager/),
      },
    ]);
    expect((await server.get(`${EVENTS}?search=Foreign`)).body).toMatchObject({ total: 0 });
  });

  it('may use the manager of the transaction, and settings that Almanac reads anew', async () => {
    const found: number[] = [];
    hooks.addAction(validateInsert, async ({ fields, transaction }) => {
      if (fields.title !== 'Own') return;
      const settings = server.app.get(SettingsService);
      settings.forget();
      await settings.current();
      found.push(await transaction.manager.countBy(Option, { name: 'siteurl' }));
    });
    hooks.addAction(afterInsert, async () => void found.push(await count()));
    expect((await create('Own')).status).toBe(201);
    expect(found).toEqual([1, 1]);
  });
});
