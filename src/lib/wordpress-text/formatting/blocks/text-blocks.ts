import { addClasses, findTag } from './html-tag.js';
import type { BlockRenderer } from './parse-blocks.js';

const HEADING = /^h[1-6]$/;
const LIST = /^[uo]l$/;
const HAS_TEXT = /\S/;
const TAG = /<[^<>]*>/g;
const PICTURE = /<(?:img|svg)\b/i;

/** The heading block: its first heading has the class `wp-block-heading`. */
export function renderHeading(html: string): string {
  return addClasses(
    html,
    findTag(html, ({ name }) => HEADING.test(name)),
    ['wp-block-heading'],
  );
}

/** The list block: its first list has the class `wp-block-list`. */
export function renderList(html: string): string {
  return addClasses(
    html,
    findTag(html, ({ name }) => LIST.test(name)),
    ['wp-block-list'],
  );
}

/** The button block: nothing when there is neither text nor a picture on it. */
export function renderButton(html: string): string {
  return HAS_TEXT.test(html.replace(TAG, '')) || PICTURE.test(html) ? html : '';
}

/** A group of widgets: its inner blocks in a box. */
export const renderWidgetGroup: BlockRenderer = (inner) =>
  `<div class="wp-widget-group__inner-blocks">${inner}</div>`;
