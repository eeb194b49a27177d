/** Writes an element with text and attributes; undefined ones are left out. */
export function element(
  name: string,
  text: string | undefined,
  attributes: Readonly<Record<string, string | undefined>> = {},
): string {
  if (text === undefined) return '';
  return `${openTag(name, attributes)}${escapeXml(text)}</${name}>\n`;
}

/** Writes an element with attributes only; empty if one of them is undefined. */
export function emptyElement(name: string, attributes: Readonly<Record<string, string | undefined>>): string {
  if (Object.values(attributes).includes(undefined)) return '';
  return `${openTag(name, attributes).slice(0, -1)}/>\n`;
}

export function openTag(name: string, attributes: Readonly<Record<string, string | undefined>> = {}): string {
  const said = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${escapeXml(value)}"`,
  );
  return `<${name}${said.join('')}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** Escapes text and attributes, dropping characters that XML 1.0 cannot express. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"\r]/g, (character) => ENTITIES[character] ?? '');
}
