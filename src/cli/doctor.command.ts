import { Command, Option } from 'commander';
import { counted } from './counted.js';
import { type Check, type Finding } from './doctor/check.js';
import { CHECKS } from './doctor/checks.js';
import { factLines } from './doctor/facts.js';
import { doctor, fix } from './doctor.js';
import { type Color, EXIT, type Terminal } from './terminal.js';

const FIXABLE = CHECKS.filter(({ fixSummary }) => fixSummary !== undefined);

const KINDS = `
Kinds of findings:
${CHECKS.map(({ kind, title }) => `  ${kind.padEnd(14)}${title}`).join('\n')}

Fixes:
${FIXABLE.map(({ kind, fixSummary }) => `  ${kind.padEnd(14)}${fixSummary}`).join('\n')}

Exits with 0 without errors and warnings, with 3 if it found some, with 1 if it could not check.`;

export function doctorCommand(terminal: Terminal): Command {
  return new Command('doctor')
    .addOption(
      new Option('--fix <kind>', 'repair the findings of one kind, after showing them and asking').choices(
        FIXABLE.map(({ kind }) => kind),
      ),
    )
    .option('--yes', 'agree beforehand')
    .addHelpText('after', KINDS)
    .action(async (options: { fix?: string; yes?: boolean }) => {
      if (options.fix === undefined) await examine(terminal);
      else await repair(terminal, options.fix, options.yes === true);
    });
}

async function examine(terminal: Terminal): Promise<void> {
  const report = await doctor({ progress: (line, share) => terminal.progress(line, share) });
  for (const line of factLines(report.facts)) terminal.say(line);
  for (const found of report.findings) printFinding(terminal, found);
  terminal.say('');
  terminal.say(summary(report.findings), report.healthy ? 'green' : undefined);
  terminal.json(report);
  if (!report.healthy) process.exitCode = EXIT.found;
}

async function repair(terminal: Terminal, kind: string, isAgreed: boolean): Promise<void> {
  const confirm = async (findings: readonly Finding[], check: Check) => {
    for (const found of findings) printFinding(terminal, found);
    terminal.say('');
    terminal.say(`The fix ${check.fixSummary}.`);
    return isAgreed || terminal.confirm('Do it? Have a backup at hand.');
  };
  const report = await fix(kind, confirm, { progress: (line) => terminal.progress(line) });
  if (report.findings.length === 0) terminal.say('There is nothing to fix of this kind.');
  else terminal.say(report.done ?? 'Nothing was changed.');
  terminal.json(report);
  if (report.findings.length > 0 && report.done === undefined) process.exitCode = EXIT.found;
}

const COLOR_OF: Partial<Record<Finding['severity'], Color>> = { error: 'red', warning: 'yellow' };

function printFinding(
  terminal: Terminal,
  { kind, severity, what, count, examples, why, advice }: Finding,
): void {
  const listed = examples.length < count ? `${examples.join(', ')}, …` : examples.join(', ');
  terminal.say('');
  terminal.say(`${severity.toUpperCase()}  ${kind}: ${what}.`, COLOR_OF[severity]);
  if (examples.length > 0) terminal.say(`  Such as: ${listed}`);
  terminal.say(`  Why it matters: ${why}`);
  terminal.say(`  What to do: ${advice}`);
}

function summary(findings: readonly Finding[]): string {
  const of = (severity: Finding['severity']) =>
    findings.filter((found) => found.severity === severity).length;
  const parts = [
    counted(of('error'), 'error'),
    counted(of('warning'), 'warning'),
    counted(of('note'), 'note'),
  ];
  return `${of('error') + of('warning') === 0 ? 'Healthy' : 'Found'}: ${parts.join(', ')}.`;
}
