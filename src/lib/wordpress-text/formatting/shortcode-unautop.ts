import { SHORTCODE_NAMES } from './data/shortcode-names.js';
import { SPACE } from './data/typography.js';
import { execAt } from './regexp.js';

const OPENING = new RegExp(`<p>(?:${SPACE})*(\\[(${SHORTCODE_NAMES.join('|')})(?![\\w-])[^[\\]]*\\])`, 'g');
const PARAGRAPH_END = new RegExp(`(?:${SPACE})*</p>`, 'y');

/** Removes the `<p>` around each paragraph that consists of one shortcode and its content. */
export function shortcodeUnautop(text: string): string {
  const closingTags = new Map<string, number>();
  const endOfContent = (name: string, from: number) => {
    const closingTag = `[/${name}]`;
    let at = closingTags.get(name) ?? -1;
    if (at < from) {
      at = text.indexOf(closingTag, from);
      if (at < 0) at = Number.POSITIVE_INFINITY;
      closingTags.set(name, at);
    }
    return at + closingTag.length;
  };
  let result = '';
  let done = 0;
  for (const match of text.matchAll(OPENING)) {
    if (match.index < done) continue;
    const [opening, tag = '', name = ''] = match;
    const tagEnd = match.index + opening.length;
    const ends = tag.endsWith('/]') ? [tagEnd] : [endOfContent(name, tagEnd), tagEnd];
    for (const end of ends) {
      if (!execAt(PARAGRAPH_END, text, end)) continue;
      result += text.slice(done, match.index) + text.slice(tagEnd - tag.length, end);
      done = PARAGRAPH_END.lastIndex;
      break;
    }
  }
  return result + text.slice(done);
}
