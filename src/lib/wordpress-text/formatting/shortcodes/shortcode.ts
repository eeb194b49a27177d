import type { RenderContext } from '../render-context.js';
import type { ShortcodeAttributes } from './shortcode-attributes.js';

/** One use of a shortcode in a text. */
export interface ShortcodeCall {
  attributes: ShortcodeAttributes;
  /** What stands between the opening and the closing tag; empty without a closing tag. */
  content: string;
  ctx: RenderContext;
  /** Expands the shortcodes in a piece of the content. */
  expand: (text: string) => string;
}

/** Turns one use of a shortcode into HTML. */
export type Shortcode = (call: ShortcodeCall) => string;
