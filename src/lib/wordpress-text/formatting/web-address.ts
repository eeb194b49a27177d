import { htmlEntityDecode } from './html-entity-decode.js';

/** Normalizes an http or https URL, also with entities; undefined for other values. */
export function webAddress(address: unknown): string | undefined {
  const text = typeof address === 'string' ? htmlEntityDecode(address).trim() : '';
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).href : undefined;
}
