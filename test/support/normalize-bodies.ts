const VOLATILE: readonly [RegExp, string][] = [
  [/\b\w{4}(?: \w{4}){5}\b|\b[A-Za-z0-9]{24}\b/g, '<password>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\d+(?:[.,:]\d+)*/g, '<number>'],
  [/ {2,}/g, '  '],
];

/**
 * The first line that differs between documented and printed output; undefined where both match. `…` matches anything, alone on
 * a line any lines; passwords and numbers may differ. Standard error, which may contain progress, may be documented.
 */
export function lineDifference(documented: string, printed: string, said = ''): string | undefined {
  const had = linesOf(printed);
  const beside = linesOf(said);
  let isFree = false;
  for (const line of linesOf(documented)) {
    if (line === '…') {
      isFree = true;
      continue;
    }
    const pattern = patternOf(line);
    const at = had.findIndex((one) => pattern.test(one));
    if (at === 0 || (isFree && at > 0)) {
      had.splice(0, at + 1);
      isFree = false;
      continue;
    }
    const besideAt = beside.findIndex((one) => pattern.test(one));
    if (besideAt < 0) return line;
    beside.splice(0, besideAt + 1);
  }
  return isFree ? undefined : had[0];
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

/** Documented members that the response lacks, or that differ in type or date format. */
export function memberDifferences(documented: unknown, answered: unknown, path = '$'): string[] {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (Array.isArray(documented) && Array.isArray(answered))
    return documented.flatMap((one, index) => memberDifferences(one, answered[index], `${path}[${index}]`));
  if (isObject(documented) && isObject(answered))
    return Object.entries(documented).flatMap(([name, value]) =>
      memberDifferences(value, answered[name], `${path}.${name}`),
    );
  return formOf(documented) === formOf(answered) ? [] : [`${path}: ${formOf(answered)}`];
}

/** A value without parts that depend on the day or the server. */
function formOf(value: unknown): string {
  if (typeof value !== 'string')
    return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  if (/^\d{4}-\d\d-\d\d[ T]/.test(value)) return value.replaceAll(/\d/g, '0');
  return /^https?:/.test(value) ? new URL(value).pathname.replaceAll(/\d+/g, '0') : 'string';
}
