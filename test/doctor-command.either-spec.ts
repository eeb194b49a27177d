import { PassThrough } from 'node:stream';
import { CommanderError } from 'commander';
import { CHECKS } from '../src/cli/doctor/checks.js';
import { program } from '../src/cli/program.js';
import { EXIT, Terminal } from '../src/cli/terminal.js';
import { readEnvironment } from '../src/config/env.js';
import { dataSourceOptions } from '../src/database/data-source-options.js';
import { connect } from '../src/database/open-site.js';
import { StartError } from '../src/database/start-error.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

describeEither('almanac doctor', (database) => {
  let site: Site;
  const before = process.env['DATABASE_URL'];
  beforeAll(async () => {
    site = await makeSite(database);
    process.env['DATABASE_URL'] = site.url;
  });
  afterAll(async () => {
    if (before === undefined) delete process.env['DATABASE_URL'];
    else process.env['DATABASE_URL'] = before;
    await site?.drop();
  });

  /** Output and exit code; with `response`, input is a terminal where a user types it. */
  const runDoctor = async (args: string[], response?: string) => {
    const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
    if (response === undefined) input.end();
    else Object.assign(input, { isTTY: true }).write(`${response}\n`);
    const streams = [input, output, errors] as unknown as ConstructorParameters<typeof Terminal>;
    process.exitCode = undefined;
    try {
      await (await program(new Terminal(...streams))).parseAsync(['doctor', ...args], { from: 'user' });
      return { code: process.exitCode ?? EXIT.done, out: String(output.read() ?? '') };
    } finally {
      process.exitCode = undefined;
    }
  };
  const countDanglingLinks = async () => {
    const env = readEnvironment({ DATABASE_URL: site.url });
    const source = await connect(dataSourceOptions(env), env);
    const rows: object[] = await source.query(
      "SELECT meta_id FROM wp_postmeta WHERE meta_key = '_EventVenueID' AND meta_value = '18'",
    );
    await source.destroy();
    return rows.length;
  };

  it('prints its findings as text', async () => {
    const { code, out } = await runDoctor([]);
    expect(code).toBe(EXIT.found);
    expect(out).toContain(
      'WARNING  links: 9 links of events to venues that do not exist.\n  Such as: 129, 152, 198, 200, 212, …\n',
    );
    expect(out).toMatch(/\nFound: 0 errors, 1 warning, \d notes?\.\n$/);
  });

  it('prints its findings as JSON with --json', async () => {
    const { code, out } = await runDoctor(['--json']);
    const { facts, findings, healthy } = JSON.parse(out);
    expect([code, healthy, facts.records.events]).toEqual([EXIT.found, false, 150]);
    expect(Object.keys(findings[0])).toEqual([
      'kind',
      'name',
      'severity',
      'what',
      'count',
      'examples',
      'why',
      'advice',
      'fixable',
    ]);
  });

  it('reports the missing tables of the journal where CHANGES is on', async () => {
    process.env['CHANGES'] = 'on';
    try {
      expect((await runDoctor([])).out).toContain(
        'WARNING  tables: 2 tables of the journal of changes missing (wp_almanac_changes, wp_almanac_records)',
      );
    } finally {
      delete process.env['CHANGES'];
    }
    expect((await runDoctor([])).out).not.toContain('journal of changes');
  });

  it('changes nothing without confirmation', async () => {
    await expect(runDoctor(['--fix', 'links'])).rejects.toThrow(
      new StartError('This needs a confirmation, and there is no terminal to ask: add --yes.'),
    );
    const { code, out } = await runDoctor(['--fix', 'links'], 'n');
    expect(code).toBe(EXIT.found);
    expect(out).toMatch(/The fix takes the ids .*\nNothing was changed\.\n$/);
    expect(await countDanglingLinks()).toBe(9);
  });

  it('fixes confirmed findings and then reports a healthy site', async () => {
    const { code, out } = await runDoctor(['--fix', 'links'], 'y');
    expect([code, out.endsWith('\nTook 9 links out.\n')]).toEqual([EXIT.done, true]);
    expect(await countDanglingLinks()).toBe(0);
    expect(await runDoctor(['--fix', 'links', '--yes'])).toEqual({
      code: EXIT.done,
      out: 'There is nothing to fix of this kind.\n',
    });
    const { out: healthy, code: after } = await runDoctor([]);
    expect([after, /\nHealthy: 0 errors, 0 warnings/.test(healthy)]).toEqual([EXIT.done, true]);
  });

  it('lists its kinds in --help and rejects unknown ones', async () => {
    const written: string[] = [];
    const capture = (text: unknown) => written.push(String(text)) > 0;
    const spies = [process.stdout, process.stderr].map((stream) =>
      jest.spyOn(stream, 'write').mockImplementation(capture),
    );
    const help = await runDoctor(['--help']).catch((error: unknown) => error);
    const rejected = await runDoctor(['--fix', 'slugs']).catch((error: unknown) => error);
    for (const spy of spies) spy.mockRestore();
    expect([help, rejected]).toEqual([expect.any(CommanderError), expect.any(CommanderError)]);
    for (const { kind, title } of CHECKS)
      expect(written.join('')).toContain(`  ${kind.padEnd(14)}${title}\n`);
    expect(written.join('')).toMatch(/'slugs' is invalid\. Allowed choices are tables, occurrences/);
  });
});
