import type { RenderContext } from '../render-context.js';
import type { ShortcodeAttributes } from './shortcode-attributes.js';

/** One use of a shortcode in a text. */
export interface ShortcodeCall {
  attributes: ShortcodeAttributes;
  /** The text between opening and closing tag; empty without a closing tag. */
  content: string;
  ctx: RenderContext;
  /** Expands the shortcodes of a text. */
  expand: (text: string) => string;
}

/** Renders one use of a shortcode as HTML. */
export type Shortcode = (call: ShortcodeCall) => string;
