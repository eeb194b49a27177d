import { addClasses, findTag } from './html-tag.js';
import type { BlockRenderer } from './parse-blocks.js';

const HEADING = /^h[1-6]$/;
const LIST = /^[uo]l$/;
const HAS_TEXT = /\S/;
const TAG = /<[^<>]*>/g;
const IMAGE = /<(?:img|svg)\b/i;

/** Adds the class `wp-block-heading` to the first heading. */
export function renderHeading(html: string): string {
  return addClasses(
    html,
    findTag(html, ({ name }) => HEADING.test(name)),
    ['wp-block-heading'],
  );
}

/** Adds the class `wp-block-list` to the first list. */
export function renderList(html: string): string {
  return addClasses(
    html,
    findTag(html, ({ name }) => LIST.test(name)),
    ['wp-block-list'],
  );
}

/** Renders a button: empty without text or image. */
export function renderButton(html: string): string {
  return HAS_TEXT.test(html.replace(TAG, '')) || IMAGE.test(html) ? html : '';
}

/** Wraps the inner blocks of a widget group. */
export const renderWidgetGroup: BlockRenderer = (inner) =>
  `<div class="wp-widget-group__inner-blocks">${inner}</div>`;
