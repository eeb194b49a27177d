const VOLATILE: readonly [RegExp, string][] = [
  [/\b\w{4}(?: \w{4}){5}\b|\b[A-Za-z0-9]{24}\b/g, '<password>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\d+(?:[.,:]\d+)*/g, '<number>'],
  [/ {2,}/g, '  '],
];

/**
 * The first line of what a document shows that is not what was printed; undefined where both are alike. `…` stands for anything, alone
 * on a line for any lines; passwords and numbers may be others.
 */
export function unlikeLine(shown: string, printed: string): string | undefined {
  const wanted = linesOf(shown);
  // How far a command is, which terminals show in one line, comes when it comes.
  const had = linesOf(printed).filter((line) => !/^<number> .* …$/.test(line));
  let at = 0;
  let isFree = false;
  for (const line of wanted) {
    if (line === '…') {
      isFree = true;
      continue;
    }
    const pattern = patternOf(line);
    const found = had.findIndex((one, index) => index >= at && pattern.test(one));
    if (found < 0 || (!isFree && found > at)) return line;
    at = found + 1;
    isFree = false;
  }
  return isFree || at === had.length ? undefined : had[at];
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => VOLATILE.reduce((now, [what, name]) => now.replaceAll(what, name), line.trimEnd()))
    .filter((line) => line !== '');
}

function patternOf(line: string): RegExp {
  const parts = line.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`);
}

/** Members of an answer that a document shows and that are not so: missing, of another type, a date of another form. */
export function unlikeMembers(shown: unknown, answered: unknown, path = '$'): string[] {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (Array.isArray(shown) && Array.isArray(answered))
    return shown.flatMap((one, index) => unlikeMembers(one, answered[index], `${path}[${index}]`));
  if (isObject(shown) && isObject(answered))
    return Object.entries(shown).flatMap(([name, value]) =>
      unlikeMembers(value, answered[name], `${path}.${name}`),
    );
  return formOf(shown) === formOf(answered) ? [] : [`${path}: ${formOf(answered)}`];
}

/** A value without what differs from day to day and from server to server. */
function formOf(value: unknown): string {
  if (typeof value !== 'string')
    return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  if (/^\d{4}-\d\d-\d\d[ T]/.test(value)) return value.replaceAll(/\d/g, '0');
  return /^https?:/.test(value) ? new URL(value).pathname.replaceAll(/\d+/g, '0') : 'string';
}
