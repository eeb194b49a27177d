import { execFile } from 'node:child_process';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTestServer } from '../src/testing.js';
import { FieldsModule } from './support/field-plugin.js';
import { testFolder } from './support/test-folder.js';

const ROOT = join(__dirname, '..');
const run = promisify(execFile);

const PROGRAM = `
import { createAlmanacClient } from 'almanac-client';
import type { paths } from './calendar.js';

const calendar = createAlmanacClient<paths>({ baseUrl: 'https://example.org/wp-json' });
export async function main() {
  const { items } = await calendar.events.list({ min_price: 5, level: ['easy'], per_page: 3 });
  const [event] = items;
  const price: number | null | undefined = event?.price;
  const lat: number | null | undefined = event?.address?.geo?.lat;
  const colors: string[] | null | undefined = event?.colors;
  const level: 'easy' | 'medium' | 'hard' | null | undefined = event?.level;
  await calendar.events.create({ title: 'T', start_date: '', end_date: '', price: 5, address: { street: 'A' } });
  await calendar.events.update(1, { colors: ['red'], level: null, contacts: [{ name: 'Ida' }] });
  const { items: terms } = await calendar.categories.list({ min_since: '2020-01-01' });
  const labels: string[] | null | undefined = terms[0]?.labels;
  const venues = calendar.resource('venues');
  const { id }: { id: number } = await venues.get(1);
  // @ts-expect-error: the field is a number.
  await calendar.events.update(1, { price: 'cheap' });
  // @ts-expect-error: there is no such level.
  await calendar.events.update(1, { level: 'odd' });
  // @ts-expect-error: the object has no such member.
  await calendar.events.update(1, { address: { streat: 'A' } });
  // @ts-expect-error: Almanac without plugins has no price.
  const { price: none } = await createAlmanacClient({ baseUrl: '' }).events.get(1);
  return [price, lat, colors, level, labels, id, none];
}
`;

it('types of almanac-client include the fields of plugins, made of the own /openapi.json of a server', async () => {
  const server = await startTestServer({ plugins: [FieldsModule] });
  const { body } = await server.get('/openapi.json');
  await server.close();
  // Of its own: specs share the folder above, and packages linked there would be found by all.
  const folder = mkdtempSync(join(testFolder(), 'types-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(body));
  const cli = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js');
  await run(
    process.execPath,
    [cli, 'openapi.json', '-o', 'calendar.ts', '--default-non-nullable=false', '--empty-objects-unknown'],
    { cwd: folder },
  );
  writeFileSync(join(folder, 'main.ts'), PROGRAM);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const compilerOptions = {
    ...{
      target: 'ES2022',
      lib: ['ES2022', 'DOM', 'DOM.Iterable'],
      module: 'nodenext',
      strict: true,
      noEmit: true,
    },
    ...{ types: [], skipLibCheck: true },
    paths: { 'almanac-client': [join(ROOT, 'packages/client/src/index.ts')] },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error) => error);
  expect(stdout).toBe('');
});
