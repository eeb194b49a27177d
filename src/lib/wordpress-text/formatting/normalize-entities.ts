import { ENTITY_NAMES } from './data/kses-allowlist.js';

const AMPERSAND = /&(?:#(\d+);|#[xX]([\da-fA-F]+);|([A-Za-z]\w{1,9});)?/g;
const LEADING_ZEROS = /^0+/;
/** Numbers of this many digits are no characters and slow to parse. */
const MAX_LENGTH = 8;
/** The `Char` production of XML 1.0. */
const XML_CHARACTER = /^[\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]$/u;

/** Escapes every `&` that starts no valid entity; decimal entities get at least three digits, hex ones lose leading zeros. */
export function normalizeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(AMPERSAND, (found, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined && ENTITY_NAMES.has(name)) return found;
    const digits = (decimal ?? hex ?? '').replace(LEADING_ZEROS, '');
    if (!isXmlCharacter(digits, hex === undefined ? 10 : 16)) return `&amp;${found.slice(1)}`;
    return hex === undefined ? `&#${digits.padStart(3, '0')};` : `&#x${digits};`;
  });
}

function isXmlCharacter(digits: string, base: number): boolean {
  const code = digits.length < MAX_LENGTH ? Number.parseInt(digits, base) : Number.NaN;
  return code <= 0x10ffff && XML_CHARACTER.test(String.fromCodePoint(code));
}
