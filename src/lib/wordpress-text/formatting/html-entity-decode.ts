import { HTML_ENTITIES } from './data/html-entities.js';

const ENTITY = /&(?:#(\d{1,10})|#[xX]([0-9a-fA-F]{1,8})|([a-zA-Z][a-zA-Z0-9]{1,31}));/g;

/** PHP's `html_entity_decode`: decodes once; entities unknown to HTML 4.01 stay. */
export function htmlEntityDecode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return HTML_ENTITIES.get(name) ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return isAllowed(code) ? String.fromCodePoint(code) : entity;
  });
}

function isAllowed(code: number): boolean {
  if (code < 0x7f) return code >= 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
  return (code >= 0xa0 && code < 0xd800) || (code > 0xdfff && code <= 0x10ffff);
}
