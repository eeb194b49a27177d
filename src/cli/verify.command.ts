import type { Command } from 'commander';
import { numberAbove } from '../config/parse-variable.js';
import { StartError } from '../database/start-error.js';
import { splitOnce } from '../lib/wordpress-text/formatting/uri-parts.js';
import { comparisonCommand, count, printReport } from './comparison-command.js';
import { interruptible } from './interruptible.js';
import { optionValue } from './option-value.js';
import type { Terminal } from './terminal.js';
import { type VerifyOptions, verify } from './verify/verify.js';

type Words = Omit<VerifyOptions, 'as'> & { as?: string };

const AFTER = `
It only reads. The password is asked for, or taken from ALMANAC_VERIFY_PASSWORD. Ctrl-C ends it so that --resume goes on.
Without --with, Almanac is the configured database (DATABASE_URL …), served on a port of this machine meanwhile.
docs/migrating.md shows it at work.`;

export function verifyCommand(terminal: Terminal): Command {
  return comparisonCommand('verify')
    .option('--as <user>', 'ask as that user, with an application password')
    .option('--rate <n>', 'requests per second to the old server', optionValue(numberAbove(0)), 5)
    .option('--concurrency <n>', 'requests at a time', count, 2)
    .option('--timeout <seconds>', 'how long one answer may take', optionValue(numberAbove(0)), 30)
    .option('--sample <n>', 'ask for so many single records of each kind, not for all', count)
    .option('--report <name>', 'where the report goes: NAME.html and NAME.json', 'almanac-verify')
    .option('--resume', 'go on with a walk that was interrupted')
    .addHelpText('after', AFTER)
    .action(async ({ as, ...words }: Words) => {
      const login = as !== undefined && { as: await loginOf(as, terminal) };
      const progress = (line: string) => terminal.progress(line);
      const report = await interruptible((signal) => verify({ ...words, ...login, signal, progress }));
      printReport(terminal, words.report, report);
      if (!report.isComplete) terminal.note('Interrupted: --resume goes on.');
    });
}

/** Reads the login's password, which should not be on the command line. */
async function loginOf(said: string, terminal: Terminal): Promise<{ login: string; password: string }> {
  const [login, typed] = splitOnce(said, ':');
  if (said.includes(':')) {
    // Hides the options in process lists.
    process.title = 'almanac verify';
    terminal.note('A password on the command line stays in the history of the shell: use --as USER alone.');
    return { login, password: typed };
  }
  const password =
    process.env['ALMANAC_VERIFY_PASSWORD'] ?? (await terminal.secret(`Application password of ${login}: `));
  if (password === '') throw new StartError(`No password was entered for ${login}.`);
  return { login, password };
}
