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
const ODD_SPACE = /[\u00a0\u200b]/g;
const COMPLETE_HTML = /^[^<]*(?:<[^>]*>[^<]*)*$/;
const ESCAPE = /\\(x[\da-f]{1,2}|[0-7]{1,3}|[\s\S])/gi;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  v: '\v',
  b: '\b',
  f: '\f',
};

/** Reads `name="…"`, `name='…'` and `name=…`, the last of a name wins; values with half an HTML tag become empty. */
export function shortcodeAttributes(text: string): ShortcodeAttributes {
  const attributes = new Map<string, string>();
  for (const match of text.replace(ODD_SPACE, ' ').matchAll(ATTRIBUTE)) {
    const name = match[1] ?? match[3] ?? match[5];
    const value = unescapeC(match[2] ?? match[4] ?? match[6] ?? '');
    if (name !== undefined) attributes.set(name.toLowerCase(), COMPLETE_HTML.test(value) ? value : '');
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

/** Resolves the escapes of C: `\n`, `\x41`, `\101`; any other backslash is dropped. */
function unescapeC(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPE, (_, code: string) => {
    if (/^x/i.test(code) && code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 0xff);
    return ESCAPES[code] ?? code;
  });
}
