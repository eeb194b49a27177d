import { CommanderError } from 'commander';
import { program } from '../../src/cli/program.js';
import { Terminal } from '../../src/cli/terminal.js';

const AGAINST = ['--against', 'https://old.example/wp-json/tribe/events/v1'];

describe('the arguments of almanac verify and almanac shadow', () => {
  const said: string[] = [];
  const rejection = async (...words: string[]) => {
    const almanac = await program(new Terminal());
    for (const command of [almanac, ...almanac.commands])
      command.configureOutput({ writeOut: (text) => said.push(text), writeErr: (text) => said.push(text) });
    const error: unknown = await almanac
      .parseAsync(words, { from: 'user' })
      .catch((thrown: unknown) => thrown);
    return error instanceof CommanderError ? error.message : error;
  };

  it.each([
    [['verify'], "error: required option '--against <url>' not specified"],
    [['verify', ...AGAINST, '--rate', '0'], expect.stringMatching(/--rate.*It must be a number above 0\.$/)],
    [
      ['verify', ...AGAINST, '--concurrency', '1.5'],
      expect.stringMatching(/It must be a whole number from 1 to 999999\.$/),
    ],
    [
      ['verify', ...AGAINST, '--sample', 'x'],
      expect.stringMatching(/--sample.*It must be a whole number from 1 to 999999\.$/),
    ],
    [['shadow'], "error: required option '--against <url>' not specified"],
    [
      ['shadow', ...AGAINST, '--port', '65536'],
      expect.stringMatching(/--port.*It must be a whole number from 0 to 65535\.$/),
    ],
    [
      ['shadow', ...AGAINST, '--queue', '-1'],
      expect.stringMatching(/--queue.*It must be a whole number from 1 to 999999\.$/),
    ],
  ])('%j', async (words, says) => {
    expect(await rejection(...words)).toEqual(says);
  });

  it('are described by --help', async () => {
    for (const name of ['verify', 'shadow']) expect(await rejection(name, '--help')).toBe('(outputHelp)');
    expect(said.join('')).toMatch(/ALMANAC_VERIFY_PASSWORD.*byte for byte/s);
  });
});
