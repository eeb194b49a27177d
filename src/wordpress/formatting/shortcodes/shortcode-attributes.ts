/** Attributes of a shortcode by lower-case name. */
export type ShortcodeAttributes = ReadonlyMap<string, string>;

const BLANK = '[ \\t\\n\\r\\f\\v]';
const END = `(?=${BLANK}|$)`;
const ATTRIBUTE = new RegExp(
  [
    `([\\w-]+)${BLANK}*=${BLANK}*"([^"]*)"${END}`,
    `([\\w-]+)${BLANK}*=${BLANK}*'([^']*)'${END}`,
    `([\\w-]+)${BLANK}*=${BLANK}*([^ \\t\\n\\r\\f\\v'"]+)${END}`,
    `"[^"]*"${END}|'[^']*'${END}|[^ \\t\\n\\r\\f\\v]+`,
  ].join('|'),
  'g',
);

/** Reads `name="…"`, `name='…'` and `name=…`, the last of a name wins. */
export function shortcodeAttributes(text: string): ShortcodeAttributes {
  const attributes = new Map<string, string>();
  for (const match of text.matchAll(ATTRIBUTE)) {
    const name = match[1] ?? match[3] ?? match[5];
    const value = match[2] ?? match[4] ?? match[6] ?? '';
    if (name !== undefined) attributes.set(name.toLowerCase(), value);
  }
  return attributes;
}

/** The ids in a list such as `3, 4 5`, each once, in order. */
export function idList(text: string): number[] {
  const ids = text.split(/[ \t\n\r\f\v,]+/).map((id) => Math.abs(Number.parseInt(id, 10) || 0));
  return [...new Set(ids)].filter((id) => id > 0);
}

/** Whether a flag is set: by anything but nothing, `0` and `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false';
}
