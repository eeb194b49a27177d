import type { Command } from 'commander';
import { numberAbove, wholeNumber } from '../config/parse-variable.js';
import { comparisonCommand, count, printReport } from './comparison-command.js';
import { interruptible } from './interruptible.js';
import { optionValue } from './option-value.js';
import type { Terminal } from './terminal.js';
import { type ShadowOptions, shadow } from './verify/shadow.js';

type Flags = Pick<ShadowOptions, 'withCredentials' | 'keepHost'>;

type Words = Omit<ShadowOptions, 'signal' | keyof Flags> & Partial<Flags>;

const AFTER = `
Clients get what the old server says, byte for byte, whatever becomes of Almanac; only GETs are compared, nothing is written.
Requests with a login are compared with --with-credentials only. Ctrl-C ends it, with a report. docs/migrating.md shows it at work.`;

export function shadowCommand(terminal: Terminal): Command {
  return comparisonCommand('shadow')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on', optionValue(wholeNumber(0, 65_535)), 8080)
    .option('--concurrency <n>', 'answers that are compared at a time', count, 2)
    .option('--queue <n>', 'answers that may wait for it; further ones are not compared', count, 100)
    .option('--with-credentials', 'give logins of clients to Almanac too, and compare what they see')
    .option('--keep-host', 'pass on the Host that clients send, not that of --against')
    .option('--every <seconds>', 'how often the report is written', optionValue(numberAbove(0)), 30)
    .option('--report <name>', 'where the report goes: NAME.html and NAME.json', 'almanac-shadow')
    .addHelpText('after', AFTER)
    .action(async ({ withCredentials = false, keepHost = false, ...words }: Words) => {
      const listening = (address: string) =>
        terminal.note(`Listening: ${address}, passed on to ${words.against}`);
      const report = await interruptible((signal) =>
        shadow({ ...words, withCredentials, keepHost, signal, listening }),
      );
      printReport(terminal, words.report, report);
    });
}
