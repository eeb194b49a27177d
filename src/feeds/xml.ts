/** An element with its text and attributes; what is undefined is left out. */
export function element(
  name: string,
  text: string | undefined,
  attributes: Readonly<Record<string, string | undefined>> = {},
): string {
  if (text === undefined) return '';
  return `${openTag(name, attributes)}${escapeXml(text)}</${name}>\n`;
}

/** An element of attributes alone; nothing where one of them is undefined. */
export function emptyElement(name: string, attributes: Readonly<Record<string, string | undefined>>): string {
  if (Object.values(attributes).includes(undefined)) return '';
  return `${openTag(name, attributes).slice(0, -1)}/>\n`;
}

/** The beginning of an element. */
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

/** A text for content and attributes, without the characters that XML 1.0 has no way to write: controls, halves of pairs. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"\r]/g, (character) => ENTITIES[character] ?? '');
}
