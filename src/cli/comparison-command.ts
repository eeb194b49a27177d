import { Command } from 'commander';
import { wholeNumber } from '../config/parse-variable.js';
import { optionValue } from './option-value.js';
import { EXIT, type Terminal } from './terminal.js';
import { linesOf, type Report } from './verify/report.js';

/** Parses an option that is a count. */
export const count = optionValue(wholeNumber(1, 999_999));

/** Creates a command that compares two servers, with the options for their addresses. */
export function comparisonCommand(name: string): Command {
  return new Command(name)
    .usage('[options] --against <url>')
    .requiredOption(
      '--against <url>',
      'the old interface, such as https://example.org/wp-json/tribe/events/v1',
    )
    .option('--with <url>', 'where Almanac answers already');
}

/** Prints the result and sets the exit code; `file` is the report's file. */
export function printReport(terminal: Terminal, file: string, report: Report): void {
  for (const line of linesOf(report)) terminal.say(line);
  terminal.say(`The report: ${file}.html and ${file}.json.`);
  terminal.json(report);
  const outcome = report.differences.length > 0 ? EXIT.found : EXIT.done;
  process.exitCode = report.isComplete ? outcome : EXIT.failed;
}
