import { ENTITY_NAMES } from './data/kses-allowlist.js';

const AMPERSAND = /&(?:#(\d+);|#[xX]([\da-fA-F]+);|([A-Za-z]\w{1,9});)?/g;
const LEADING_ZEROS = /^0+/;
/** No character has a number of so many digits, which would take long to read. */
const LONGEST = 8;

/** Escapes every `&` that starts no valid entity; decimal entities get three digits or more, hex ones lose zeros. */
export function normalizeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(AMPERSAND, (found, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined && ENTITY_NAMES.has(name)) return found;
    if (decimal !== undefined) {
      const digits = decimal.replace(LEADING_ZEROS, '');
      if (digits.length < LONGEST && isXmlCharacter(Number(digits))) return `&#${digits.padStart(3, '0')};`;
    }
    if (hex !== undefined) {
      const digits = hex.replace(LEADING_ZEROS, '');
      if (digits.length < LONGEST && isXmlCharacter(Number.parseInt(digits, 16))) return `&#x${digits};`;
    }
    return `&amp;${found.slice(1)}`;
  });
}

/** The `Char` production of XML 1.0. */
function isXmlCharacter(code: number): boolean {
  return (
    code === 0x9 ||
    code === 0xa ||
    code === 0xd ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x10000 && code <= 0x10ffff)
  );
}
