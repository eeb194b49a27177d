import { BLANK, phpTrim } from './php-strings.js';
import { HTML_TOKEN } from './wptexturize.js';

/** Regular expression source of the elements that no paragraph may be around. */
const BLOCKS =
  '(?:table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|' +
  'address|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|' +
  'details|menu|summary)';

// RUN matches white space from its start only, and REST also an unclosed tag: both keep hostile texts linear.
const RUN = `(?:(?<!${BLANK})${BLANK}+)?`;
const REST = '[^>]*(?:>|$)';

const TWO_BREAKS = new RegExp(`<br${BLANK}*/?>${BLANK}*<br${BLANK}*/?>`, 'g');
const BLOCK_OPENING = new RegExp(`<${BLOCKS}(?=[\\t-\\r />])`, 'g');
const BLOCK_CLOSING = new RegExp(`</${BLOCKS}>|<hr${BLANK}*/?>`, 'g');
const HTML = new RegExp(HTML_TOKEN, 'g');

/** Tags that lose the white space around them; each group applies where `present` matches, as recorded. */
const TIGHT_TAGS: readonly [present: RegExp, tag: RegExp][] = [
  [/<option/, new RegExp(`${RUN}<option${REST}|</option>${BLANK}*`, 'g')],
  [
    /<\/object>/,
    new RegExp(`<object${REST}${BLANK}*|${RUN}</object>|${RUN}</?(?:param|embed)${REST}${BLANK}*`, 'g'),
  ],
  [
    /<(?:source|track)/,
    new RegExp(
      `<(?:audio|video)${REST}${BLANK}*|${RUN}</(?:audio|video)>|${RUN}<(?:source|track)${REST}${BLANK}*`,
      'g',
    ),
  ],
  [/<figcaption/, new RegExp(`${RUN}<figcaption${REST}|</figcaption>${BLANK}*`, 'g')],
];

const BLANK_LINE = new RegExp(`\\n${BLANK}*\\n`);
const OUTER_NEWLINES = /^\n+|\n+$/g;

const EMPTY_PARAGRAPH = new RegExp(`<p>${BLANK}*</p>`, 'g');
const TEXT_BEFORE_DIV_END = /<p>([^<]+)<\/div>/g;
const BLOCK_IN_PARAGRAPH = new RegExp(`<p>${BLANK}*(</?${BLOCKS}[^>]*>)${BLANK}*</p>`, 'g');
const ITEM_IN_PARAGRAPH = /<p>(<li[^\n]+?)(<\/p>|(?=\n)|$)/g;
const QUOTE_IN_PARAGRAPH = /<p><blockquote([^>]*)>/g;
const BLOCK_AFTER_P = new RegExp(`<p>${BLANK}*(</?${BLOCKS}[^>]*>)`, 'g');
const BLOCK_BEFORE_P_END = new RegExp(`(</?${BLOCKS}${REST})(?:${BLANK}*</p>)?`, 'g');

const VERBATIM_ELEMENTS = ['script', 'style', 'svg', 'math'];
const VERBATIM_TAG_OR_NEWLINE = new RegExp(`<(/?)(${VERBATIM_ELEMENTS.join('|')})|\\n`, 'g');
const PLAIN_BREAK = /<br\/?>/g;
// The lookahead limits lookbehinds to white space.
const LINE_END = new RegExp(`(?=${BLANK})(?:(?<!${BLANK})(?<!<br />)|(?<=<br />${BLANK}))${BLANK}*\\n`, 'g');
const BREAK_AFTER_BLOCK = new RegExp(`(</?${BLOCKS}${REST})(?:${BLANK}*<br />)?`, 'g');
const BREAK_BEFORE_BLOCK = new RegExp(`<br />(${BLANK}*</?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)[^>]*>)`, 'g');
const NEWLINE_BEFORE_LAST_P_END = /\n<\/p>(?=\n?$)/;

// Placeholders for preserved newlines; WordPress replaces them even when an author typed them, as recorded.
const NEWLINE_IN_TAG = ' <!-- wpnl --> ';
const NEWLINE_IN_ELEMENT = '<WPPreserveNewline />';
const TYPED_NEWLINE = / <!-- wpnl --> |<!-- wpnl -->/g;

/** Wraps paragraphs in `<p>` and adds `<br />` at line ends; the result ends with a newline. */
export function wpautop(text: string): string {
  if (phpTrim(text) === '') return '';
  const preformatted: string[] = [];
  const chunks = separateBlocks(takeOutPre(`${text}\n`, preformatted)).split(BLANK_LINE);
  const paragraphs = chunks.map((chunk) => chunk && `<p>${chunk.replace(OUTER_NEWLINES, '')}</p>\n`);
  return breakLines(tidyBlocks(paragraphs.join('')))
    .replace(BREAK_AFTER_BLOCK, '$1')
    .replace(BREAK_BEFORE_BLOCK, '$1')
    .replace(NEWLINE_BEFORE_LAST_P_END, '</p>')
    .replace(/<pre \uDC00(\d+)><\/pre>/g, (_, index) => preformatted[Number(index)] ?? '')
    .replace(TYPED_NEWLINE, '\n');
}

/** Replaces each `<pre>` by a numbered placeholder, marked with a lone surrogate, which no decoded text contains. */
function takeOutPre(text: string, taken: string[]): string {
  const end = text.lastIndexOf('</pre>') + '</pre>'.length;
  if (end < '</pre>'.length) return text;
  const take = (pre: string) => `<pre \uDC00${taken.push(pre) - 1}></pre>`;
  return text.slice(0, end).replace(/<pre.*?<\/pre>/gs, take) + text.slice(end);
}

function separateBlocks(text: string): string {
  let html = text
    .replace(TWO_BREAKS, '\n\n')
    .replace(BLOCK_OPENING, '\n\n$&')
    .replace(BLOCK_CLOSING, '$&\n\n')
    .replace(/\r\n?/g, '\n')
    .replace(HTML, (token) => token.replaceAll('\n', NEWLINE_IN_TAG));
  for (const [present, tag] of TIGHT_TAGS) {
    if (present.test(html)) html = html.replace(tag, (match) => (match.includes('>') ? match.trim() : match));
  }
  return html.replace(/\n\n+/g, '\n\n');
}

function tidyBlocks(html: string): string {
  return html
    .replace(EMPTY_PARAGRAPH, '')
    .replace(TEXT_BEFORE_DIV_END, '<p>$1</p></div>')
    .replace(BLOCK_IN_PARAGRAPH, '$1')
    .replace(ITEM_IN_PARAGRAPH, (match, item, end) => (end ? item : match))
    .replace(QUOTE_IN_PARAGRAPH, '<blockquote$1><p>')
    .replaceAll('</blockquote></p>', '</p></blockquote>')
    .replace(BLOCK_AFTER_P, '$1')
    .replace(BLOCK_BEFORE_P_END, '$1');
}

function breakLines(html: string): string {
  return keepVerbatimNewlines(html)
    .replace(PLAIN_BREAK, '<br />')
    .replace(LINE_END, '<br />\n')
    .replaceAll(NEWLINE_IN_ELEMENT, '\n');
}

function keepVerbatimNewlines(html: string): string {
  const lastEnds = new Map(VERBATIM_ELEMENTS.map((name) => [name, html.lastIndexOf(`</${name}>`)]));
  if ([...lastEnds.values()].every((end) => end < 0)) return html;
  let inside: string | undefined;
  return html.replace(VERBATIM_TAG_OR_NEWLINE, (match, slash: string, name: string, offset: number) => {
    if (match === '\n') return inside === undefined ? match : NEWLINE_IN_ELEMENT;
    if (inside === undefined) {
      if (!slash && offset < (lastEnds.get(name) ?? -1)) inside = name;
    } else if (slash && name === inside && html[offset + match.length] === '>') {
      inside = undefined;
    }
    return match;
  });
}
