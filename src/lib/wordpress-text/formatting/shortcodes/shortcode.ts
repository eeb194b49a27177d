import { BLANK } from '../php-strings.js';
import type { RenderContext } from '../render-context.js';

/** One use of a shortcode in a text. */
export interface ShortcodeCall {
  attributes: ShortcodeAttributes;
  /** The text between opening and closing tag; empty without a closing tag. */
  content: string;
  ctx: RenderContext;
  expand: (text: string) => string;
}

/** Renders one use of a shortcode as HTML. */
export type Shortcode = (call: ShortcodeCall) => string;

/** The attributes of a shortcode by lower-case name. */
export type ShortcodeAttributes = ReadonlyMap<string, string>;

const END = `(?=${BLANK}|$)`;
const NAMED = `([\\w-]+)${BLANK}*=${BLANK}*(?:"([^"]*)"|'([^']*)'|([^\\t-\\r '"]+))${END}`;
const ATTRIBUTE = new RegExp(`${NAMED}|"[^"]*"${END}|'[^']*'${END}|[^\\t-\\r ]+`, 'g');

/** Parses `name="…"`, `name='…'` and `name=…`; the last one of a name wins. */
export function shortcodeAttributes(text: string): ShortcodeAttributes {
  const attributes = new Map<string, string>();
  for (const [, name, double, single, bare] of text.matchAll(ATTRIBUTE))
    if (name !== undefined) attributes.set(name.toLowerCase(), double ?? single ?? bare ?? '');
  return attributes;
}

/** Parses a list of ids such as `3, 4 5`, without duplicates. */
export function idList(text: string): number[] {
  const ids = text.split(/[\t-\r ,]+/).map((id) => Math.abs(Number.parseInt(id, 10) || 0));
  return [...new Set(ids)].filter((id) => id > 0);
}

/** Whether a flag is set: by any value except empty, `0` and `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false';
}

/** Sanitizes a class name or id: ASCII letters, digits, `_` and `-`. */
export function htmlClass(text: string): string {
  return text.replace(/[^\w-]/g, '');
}
