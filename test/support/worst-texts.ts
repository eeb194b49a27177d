const repeated = (unit: string) => (length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const nested = (open: string, close: string) => (length: number) => {
  const depth = Math.floor(length / (open.length + close.length));
  return open.repeat(depth) + close.repeat(depth);
};
const images = (length: number) => {
  let text = '';
  for (let id = 1; text.length < length; id++)
    text += `<img src="a${id}.png" width="10" height="20" class="wp-image-${id}" />`;
  return text;
};

/** Texts that are slowest to render or sanitize, each of about the requested length. */
export const WORST_TEXTS: Readonly<Record<string, (length: number) => string>> = {
  '<': repeated('<'),
  '&': repeated('&'),
  '[': repeated('['),
  quotes: repeated(`"'`),
  'quoted words': repeated('"a '),
  newlines: repeated('\n'),
  'short paragraphs': repeated('a\n\n'),
  lines: repeated('one line of text\n'),
  'one endless line': repeated('word and other words '),
  'one endless word': repeated('a'),
  prose: repeated(`It's a "fine" day -- isn't it? 5' 6" & more... \n\n`),
  'far from ASCII': repeated('漢字😀'),
  'unclosed <p>': repeated('<p>a'),
  'nested <div>': nested('<div>', '</div>'),
  'many tags': repeated('<b><i>'),
  'table rows': repeated('<tr><td>a</td></tr>\n'),
  'unclosed comments': repeated('<!--'),
  'tags in a comment': (length) => `<!--${repeated('<a')(length)}-->`,
  'tiny blocks': repeated('<!-- wp:paragraph -->\n<p>x</p>\n<!-- /wp:paragraph -->\n'),
  'nested blocks': nested('<!-- wp:group --><div class="wp-block-group">', '</div><!-- /wp:group -->'),
  'unclosed blocks': repeated('<!-- wp:a {'),
  galleries: repeated('[gallery ids="1"]'),
  captions: repeated('[caption width="10"]<img src="a" /> b[/caption]'),
  'unclosed shortcodes': repeated('[gallery <'),
  images,
  links: repeated('<a href="https://example.org/a?b=c&d=e" title="t">link</a> '),
  'ampersands in an attribute': (length) => `<a href="${'&'.repeat(length)}">x</a>`,
  styles: (length) => `<p style="${repeated('color:red;')(length)}">x</p>`,
  smilies: repeated(' :) '),
  'addresses on lines': repeated('https://example.org/a\n'),
  'players on lines': repeated('http://example.org/b.mp3\n'),
};
