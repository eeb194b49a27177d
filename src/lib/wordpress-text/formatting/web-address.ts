import { htmlEntityDecode } from './html-entity-decode.js';

/** An address of the web, as it is stored or shown; undefined for anything else. */
export function webAddress(address: unknown): string | undefined {
  const text = typeof address === 'string' ? htmlEntityDecode(address).trim() : '';
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).href : undefined;
}
