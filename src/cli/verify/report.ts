import { Html, html } from '../../lib/html.js';
import { snakeCase } from '../terminal.js';
import type { Cause, Findings, KindTotals } from './findings.js';
import { replaceFile } from './report-files.js';
import type { WalkSubject } from './walk-state.js';

export interface Report extends WalkSubject {
  command: string;
  began: string;
  ended: string;
  /** Whether all requests were made. */
  isComplete: boolean;
  /** Percentage of compared responses without unknown differences; null if nothing was compared. */
  readiness: number | null;
  kinds: Readonly<Record<string, KindTotals>>;
  differences: readonly Cause[];
  /** Known differences; `id` is the number in docs/behaviour/differences.md. */
  known: readonly (Cause & { id: string })[];
  /** Why requests were not compared. */
  notCompared: readonly Cause[];
  counts?: Readonly<Record<string, number>>;
}

export function reportOf(
  command: string,
  subject: WalkSubject,
  began: string,
  isComplete: boolean,
  findings: Findings,
  counts?: Report['counts'],
): Report {
  const { state, differences, named, readiness = null } = findings;
  const ended = new Date().toISOString();
  return {
    command,
    ...subject,
    began,
    ended,
    isComplete,
    readiness,
    kinds: state.kinds,
    differences,
    known: named,
    notCompared: Object.values(state.silent),
    ...(counts && { counts }),
  };
}

/** Writes `FILE.json` and `FILE.html` atomically. */
export async function writeReport(file: string, report: Report): Promise<void> {
  const texts = { json: `${JSON.stringify(snakeCase(report), null, 2)}\n`, html: htmlOf(report).text };
  for (const [type, text] of Object.entries(texts)) await replaceFile(`${file}.${type}`, text);
}

/** Summarizes a report in a few lines. */
export function linesOf({ readiness, kinds, differences, known, notCompared, isComplete }: Report): string[] {
  const rows = Object.entries(kinds).map(([kind, { asked: requests, different, unanswered }]) => {
    const silent = unanswered > 0 ? `, ${unanswered} without an answer of the old server` : '';
    return `${kind.padEnd(18)} ${`${requests}`.padStart(7)} asked, ${different} different${silent}`;
  });
  const counted = (causes: readonly Cause[]) =>
    causes.map(({ cause, count }) => `${`${count}`.padStart(7)} × ${cause}`);
  return [
    ...rows,
    ...(notCompared.length > 0 ? ['', 'Not compared:', ...counted(notCompared)] : []),
    ...(known.length > 0 ? ['', 'Meant to differ:', ...counted(known.map(titled))] : []),
    ...(differences.length > 0 ? ['', 'Differences:', ...counted(differences.slice(0, 30))] : []),
    ...(differences.length > 30 ? [`and ${differences.length - 30} further kinds`] : []),
    '',
    readiness === null
      ? 'Readiness: unknown, as nothing was compared.'
      : `Readiness${isComplete ? '' : ', as far as it was compared'}: ${readiness} %.`,
  ];
}

/** Prefixes a known difference with its number. */
function titled({ id, ...known }: Cause & { id: string }): Cause {
  return /^[RW]\d/.test(id) ? { ...known, cause: `${id}: ${known.cause}` } : known;
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #ddd}td.n,th.n{text-align:right}
code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}.big{font-size:2.5rem;font-weight:600}`;

/** The report as a self-contained page. */
function htmlOf(report: Report): Html {
  const { command, isComplete, readiness, kinds, differences, known, notCompared } = report;
  const about = [
    ['Old server', report.against],
    ['Almanac', report.with ?? 'the configured database'],
    ['Asked as', report.as ?? 'nobody'],
    ['Began', report.began],
    [isComplete ? 'Ended' : 'Not finished; as of', report.ended],
    ...Object.entries(report.counts ?? {}),
  ];
  const totals = Object.entries(kinds).map(([kind, ofKind]) => row([kind, ...Object.values(ofKind)]));
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${command}</title><style>${new Html(STYLE)}</style></head><body>
<h1>${command}</h1>
${
  readiness === null
    ? html`<p>Nothing was compared.</p>`
    : html`<p><span class="big">${readiness} %</span> of the compared answers differ in nothing but what is meant to differ.</p>`
}
<table>${about.map(row)}</table>
<h2>Answers</h2>
<table><tr><th>Kind</th>${COLUMNS.map((name) => html`<th class="n">${name}</th>`)}</tr>${totals}</table>
<h2>Differences</h2>${causesOf(differences)}
<h2>Not compared</h2>${causesOf(notCompared)}
<h2>Meant to differ</h2>
<p>The numbers are those of docs/behaviour/differences.md.</p>${causesOf(known.map(titled))}
</body></html>
`;
}

const COLUMNS = 'Asked|Alike to the byte|Same values|Meant to differ|Different|Old server silent'.split('|');

function row(cells: readonly (string | number)[]): Html {
  return html`<tr>${cells.map((cell) => html`<td${typeof cell === 'number' && html` class="n"`}>${cell}</td>`)}</tr>`;
}

function causesOf(causes: readonly Cause[]): Html {
  if (causes.length === 0) return html`<p>None.</p>`;
  const examples = causes.map(({ cause, count, examples: [example] }) => {
    const cells = [example?.request, example?.old, example?.new].map(
      (text) => html`<td><code>${text}</code></td>`,
    );
    return html`<tr><td class="n">${count}</td><td>${cause}</td>${cells}</tr>`;
  });
  return html`<table><tr><th class="n">Times</th><th>What</th><th>For example</th><th>Old server</th><th>Almanac</th></tr>${examples}</table>`;
}
