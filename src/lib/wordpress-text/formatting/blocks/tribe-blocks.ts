import { CHOSEN_ORGANIZER, TRIBE_BLOCKS } from '../data/block-tribe.js';
import { escHtml } from '../esc-html.js';
import type { ThemeSupport } from '../render-context.js';
import { jsonAt, type ParsedBlock, textAt } from './parse-blocks.js';

/** Renders one of the plugin's blocks; classic themes treat it as an unknown block. */
export function renderTribeBlock(html: string, block: ParsedBlock, theme: ThemeSupport): string {
  if (theme !== 'block' || block.blockName === null) return html;
  if (block.blockName === 'tribe/event-price') return eventPrice(textAt(block.attrs, 'cost') ?? '');
  if (block.blockName === 'tribe/event-organizer')
    return jsonAt(block.attrs, 'organizer') ? CHOSEN_ORGANIZER : html;
  return TRIBE_BLOCKS[block.blockName] ?? html;
}

function eventPrice(cost: string): string {
  const price =
    cost === '' ? '' : `\t<span class="tribe-block__event-price__cost"> ${escHtml(cost)} </span>\n\t\t`;
  return `<div  class="tribe-block tribe-block__event-price" >\n\t\t${price}</div>\n`;
}
