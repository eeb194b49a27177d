/** The limit of texts, in characters. */
const MAX_LENGTH = 499_999;

/** Repeats the text, truncated at the limit. */
const times = (text: string) => text.repeat(Math.ceil(MAX_LENGTH / text.length)).slice(0, MAX_LENGTH);

/** Repeats the middle between both ends up to the limit. */
function around(open: string, close: string, middle = 'x'): string {
  const depth = Math.floor((MAX_LENGTH - middle.length) / (open.length + close.length));
  return open.repeat(depth) + middle + close.repeat(depth);
}

const block = (name: string, inner: string) => `<!-- wp:${name} -->${inner}<!-- /wp:${name} -->`;

/** Descriptions at the limit (of a body, for multi-byte characters), each a worst case of one part of rendering. */
export const TEXTS: Readonly<Record<string, () => string>> = {
  'all <': () => times('<'),
  'all [': () => times('['),
  'all &': () => times('&'),
  'all >': () => times('>'),
  'double quotes': () => times('"'),
  'single quotes': () => times("'"),
  'quotes and digits': () => times(`9' 9" '9 "9 `),
  'quotes in words': () => times(`a'b"c `),
  dashes: () => times('--'),
  dots: () => times('...'),
  crosses: () => times('1x1'),
  'one endless word': () => times('a'),
  'many words': () => times('a '),
  newlines: () => times('\n'),
  'carriage returns': () => times('\r'),
  'newlines and blanks': () => times(' \n'),
  paragraphs: () => times('a\n\n'),
  blanks: () => times(' '),
  'letters of four bytes': () => '🎉'.repeat(220_000),
  'combining marks': () => `a${'\u0301'.repeat(440_000)}`,
  'open tags': () => times('<b>'),
  'closing tags': () => times('</b>'),
  'deep tags': () => around('<b>', '</b>'),
  'deep divs': () => around('<div>', '</div>'),
  'deep quotes': () => around('<blockquote>', '</blockquote>'),
  'deep lists': () => around('<ul><li>', '</li></ul>'),
  'unclosed attributes': () => times('<a href="'),
  'many attributes': () => `<p ${times('a=b ').slice(20)}>x</p>`,
  'one long attribute': () => `<p class="${times('a').slice(20)}">x</p>`,
  styles: () => `<p style="${times('color:red;').slice(40)}">x</p>`,
  'many links': () => times('<a href="https://example.org/">x</a>'),
  'many addresses': () => times('https://example.org/a\n'),
  images: () => times('<img src="https://example.org/a.png">'),
  pre: () => times('<pre>\n\n</pre>'),
  'open pre': () => times('<pre>'),
  scripts: () => times('<script>'),
  comments: () => times('<!--'),
  'more marks': () => times('<!--more-->'),
  'character data': () => times('<![CDATA['),
  'many blocks': () => times(block('paragraph', '<p>x</p>')),
  'open blocks': () => times('<!-- wp:group -->'),
  'deep blocks': () => around('<!-- wp:group --><div>', '</div><!-- /wp:group -->'),
  'block attributes': () => `<!-- wp:group {"a":${'['.repeat(240_000)}${']'.repeat(240_000)}} /-->`,
  'half a block': () => times('<!-- wp:a {'),
  galleries: () => times('[gallery]'),
  'galleries of ids': () => times('[gallery ids="1,2,3,4,5,6,7,8,9"]'),
  captions: () => times('[caption width="1"]<img src="a">x[/caption]'),
  'open captions': () => times('[caption]'),
  'deep captions': () => around('[caption width="1"]', '[/caption]'),
  'escaped shortcodes': () => times('[[gallery]]'),
  'unclosed shortcodes': () => times('[gallery a="'),
  'shortcode attributes': () => `[gallery ${times('a="b" ').slice(20)}]`,
  entities: () => times('&amp;'),
  'numeric entities': () => times('&#x'),
  backslashes: () => times('\\'),
  tables: () => times('<table><tr><td>'),
  mixture: () => times('<p>[a "\'&<!-- wp:a -->\n\n'),
};
