import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { program } from '../../src/cli/program.js';
import { Terminal } from '../../src/cli/terminal.js';
import { ROOT } from '../support/doc-blocks.js';

describe('the almanac program', () => {
  it('loads the commands that the words name, and no others', async () => {
    const { commands } = await program(new Terminal(), ['export', '--format', 'csv']);
    const loaded = commands.filter(({ options }) => options.length > 0).map((command) => command.name());
    expect(loaded).toEqual(['export']);
  });

  it('describes each command once, also in the help of the command', async () => {
    const short = await program(new Terminal(), []);
    const whole = await program(new Terminal());
    const described = whole.commands.map((command) => [command.name(), command.description()]);
    expect(short.commands.map((command) => [command.name(), command.description()])).toEqual(described);
    expect(described.every(([, description]) => description !== '')).toBe(true);
    for (const command of whole.commands)
      expect(command.helpInformation().replace(/\s+/g, ' ')).toContain(command.description());
  });

  it('prints --version and --help in a fraction of the time that the commands take to load', () => {
    const run = (word: string) => {
      const { user, system } = cpuOf(word);
      return (user + system) / 1e6;
    };
    expect(run('--version')).toBeLessThan(0.3);
    expect(run('--help')).toBeLessThan(0.5);
  });
});

/** The processor time of a run in microseconds, which does not depend on what else the machine does. */
function cpuOf(word: string): NodeJS.CpuUsage {
  const bin = join(ROOT, 'bin/almanac.cjs');
  const print =
    'import { writeSync } from "node:fs"; process.on("exit", () => writeSync(2, JSON.stringify(process.cpuUsage())))';
  const { stderr } = spawnSync(process.execPath, ['--import', `data:text/javascript,${print}`, bin, word]);
  return JSON.parse(String(stderr)) as NodeJS.CpuUsage;
}
