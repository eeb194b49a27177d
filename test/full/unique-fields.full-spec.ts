import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuiltServer, builtPackage, startBuilt } from '../support/built-server.js';
import { clientOf } from '../support/calendar-client.js';
import { describeDatabases, makeSite, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';

const PLUGIN = `
import { EVENT, EventsModule, ResourceModule } from 'almanac';
const external_id = { meta: '_x_external', type: 'string', description: 'Id elsewhere.', unique: true };
class Unique {}
export default { module: Unique, imports: [EventsModule, ResourceModule.withFields(EVENT, { external_id })] };`;

const DAY = { start_date: '2030-05-18 20:00:00', end_date: '2030-05-18 22:00:00' };
const VALUES = 25;
const WRITES = 8;

describeDatabases('a unique field under parallel writes of two processes', (database) => {
  let site: Site;
  const servers: BuiltServer[] = [];
  beforeAll(async () => {
    const cwd = await mkdtemp(join(testFolder(), 'unique-'));
    await writeFile(join(cwd, 'unique.mjs'), PLUGIN);
    await mkdir(join(cwd, 'node_modules'));
    await symlink(await builtPackage(), join(cwd, 'node_modules', 'almanac'));
    site = await makeSite(database);
    const env = { PLUGINS: './unique.mjs', WORKERS: '1' };
    for (let at = 0; at < 2; at++) servers.push(await startBuilt(site.url, [], { cwd, env }));
  });
  afterAll(async () => {
    for (const server of servers) await server.kill();
    await site?.drop();
  });

  it('has each value once: one create succeeds, the others get 409 and write nothing', async () => {
    const senders = servers.map(({ url }) => clientOf(url));
    for (let value = 0; value < VALUES; value++) {
      const replies = await Promise.all(
        Array.from({ length: WRITES }, (_, at) =>
          senders[at % 2]?.('editor', 'POST', '/events', {
            ...DAY,
            title: `Race ${value}`,
            external_id: `id-${value}`,
          }),
        ),
      );
      const statuses = replies.map((reply) => reply?.status).sort();
      expect([value, ...statuses]).toEqual([value, 201, ...Array.from({ length: WRITES - 1 }, () => 409)]);
    }
    const { body } =
      (await senders[0]?.(
        'anonymous',
        'GET',
        '/events?search=Race&start_date=2030-01-01&end_date=2031-01-01',
      )) ?? {};
    expect(body?.['total']).toBe(VALUES);
  });
});
