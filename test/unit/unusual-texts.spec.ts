import { doBlocks } from '../../src/lib/wordpress-text/formatting/blocks/do-blocks.js';
import { escJs } from '../../src/lib/wordpress-text/formatting/esc-html.js';
import { behind } from '../../src/lib/wordpress-text/formatting/php-strings.js';
import type { Attachment, ThemeSupport } from '../../src/lib/wordpress-text/formatting/render-context.js';
import { theContent } from '../../src/lib/wordpress-text/formatting/the-content.js';
import { tribePostExcerpt } from '../../src/lib/wordpress-text/formatting/tribe-post-excerpt.js';
import { unserialize } from '../../src/lib/wordpress-text/php-serialize.js';
import { makeRenderContext } from '../support/render-context.js';

// Texts that no vector has; what comes out was recorded unless a line says otherwise.

const block = (text: string, theme: ThemeSupport = 'block') =>
  doBlocks(text, makeRenderContext(theme)).trim();
const content = (text: string, attachments: readonly Attachment[] = []) =>
  theContent(text, makeRenderContext('classic', attachments));
const excerpt = (text: string) => tribePostExcerpt({ text, isExcerpt: false }, 'en_US');
const group = (attributes: string, more = '') =>
  `<!-- wp:group ${attributes} -->\n<div${more} class="wp-block-group">x</div>\n<!-- /wp:group -->`;

const UPLOADS = 'http://events.example.test/wp-content/uploads';
const picture = (values: Partial<Attachment>, metadata?: string): Attachment => ({
  ...{ id: 1, title: 'A & B', excerpt: '', content: '', slug: 'a', mimeType: 'image/jpeg', parentId: 0 },
  ...{ date: '2091-01-01 00:00:00', file: '2091/03/x.jpg', guid: '', alt: '' },
  metadata: metadata === undefined ? null : (unserialize(metadata) ?? null),
  ...values,
});
const gallery = (attachment: Attachment, more = '') => content(`[gallery ids="1"${more}]`, [attachment]);

describe('unusual blocks', () => {
  it.each([
    [
      group('{"style":{"position":{"type":"sticky","top":"0px"}},"layout":{"type":"flow"}}'),
      '<div class="wp-block-group wp-block-group- wp-container-1 is-position-sticky">x</div>',
    ],
    [
      group('{"style":{"background":{"backgroundImage":{"url":"http://x.y/a.jpg"}}}}'),
      '<div style="background-image:url(&#039;http://x.y/a.jpg&#039;);background-size:cover;" ' +
        'class="wp-block-group is-layout-flow wp-block-group-is-layout-flow has-background">x</div>',
    ],
    [
      '<!-- wp:cover {"minHeight":300} -->\n<div class="wp-block-cover" style="min-height:300px"></div>\n<!-- /wp:cover -->',
      '<div class="wp-block-cover is-layout-flow wp-block-cover-is-layout-flow" ' +
        'style="min-height:300px;aspect-ratio:unset;"></div>',
    ],
    [
      '<!-- wp:separator {"className":"is-style-wide"} --><hr class="is-style-wide"/><!-- /wp:separator -->',
      '<hr class="is-style-wide is-style-wide--1"/>',
    ],
    [
      '<!-- wp:separator {"className":"is-style-dots"} --><hr class="is-style-dots"/><!-- /wp:separator -->',
      '<hr class="is-style-dots"/>',
    ],
    [
      '<!-- wp:image {"style":{"color":{"duotone":["#000","#fff"]}}} --><figure><img src="a.jpg"/></figure><!-- /wp:image -->',
      '<figure class="wp-duotone-000-fff-1"><img src="a.jpg"/></figure>',
    ],
    [
      '<!-- wp:file {"displayPreview":true} --><div><object data="f.pdf" aria-label="Embed of f"></object></div><!-- /wp:file -->',
      '<div data-wp-interactive="core/file"><object data-wp-bind--hidden="!state.hasPdfPreview" hidden data="f.pdf" ' +
        'aria-label="Embed of Embed of f."></object></div>',
    ],
    [
      '<!-- wp:tribe/event-organizer {"organizer":9} /-->',
      '<div  class="tribe-block tribe-block__organizer__details tribe-clearfix" >\n' +
        '\t<div class="tribe-block__organizer__title">\n\t\t<h3></h3>\n\t</div>\n\t\t\t</div>',
    ],
    ['<!-- wp:tribe/event-organizer /-->', ''],
  ])('%s', (text, expected) => {
    expect(block(text)).toBe(expected);
  });

  it('number the styles of a request in the order of their blocks, outer ones first', () => {
    const button = '<!-- wp:button {"className":"is-style-outline"} --><a>x</a><!-- /wp:button -->';
    const section = `<!-- wp:group {"className":"is-style-section-1"} --><div>${button}${button}</div><!-- /wp:group -->`;
    expect(block(section).match(/[a-z\d-]+--\d/g)).toEqual([
      'is-style-section-1--1',
      'is-style-outline--2',
      'is-style-outline--3',
    ]);
  });

  it('have neither styles nor positions under a classic theme', () => {
    const sticky = group('{"className":"is-style-section-1","style":{"position":{"type":"sticky"}}}');
    expect(block(sticky, 'classic')).not.toMatch(/--1|sticky/);
  });

  it('allow no CSS through the URL of a background', () => {
    const url = "http://x.y/a.jpg');color:red;b:url('";
    const text = group(JSON.stringify({ style: { background: { backgroundImage: { url } } } }));
    expect(block(text)).not.toMatch(/color:red|has-background/);
    const size = group(
      '{"style":{"background":{"backgroundImage":{"url":"http://x.y/"},"backgroundSize":"1px;color:red"}}}',
    );
    expect(block(size)).not.toContain('color:red');
  });

  it.each([
    '<!-- wp:latest-posts {"postsToShow":3} /-->',
    '<!-- wp:archives -->inside<!-- /wp:archives -->',
    '<!-- wp:navigation {"ref":4} --><!-- wp:paragraph --><p>x</p><!-- /wp:paragraph --><!-- /wp:navigation -->',
    '<!-- wp:query --><div class="wp-block-query"><!-- wp:post-template /--></div><!-- /wp:query -->',
    '<!-- wp:block {"ref":53} /-->',
    '<!-- wp:template-part {"slug":"header"} /-->',
  ])('R16: render nothing of the site for %s', (text) => {
    for (const theme of ['block', 'classic'] as const) expect(block(text, theme)).toBe('');
  });
});

describe('unusual excerpts', () => {
  it.each([
    [
      '<!-- wp:list -->\n<ul class="x"><li>old</li></ul>\n<!-- /wp:list -->',
      '<ul class="x wp-block-list">\n<li>old</li>\n</ul>\n',
    ],
    [group('{}'), '<p>x</p>\n'],
    [
      '<!-- wp:group --><div>a<!-- wp:paragraph --><p>b</p><!-- /wp:paragraph --></div><!-- /wp:group -->',
      '<p>b</p>\n',
    ],
  ])('%s', (text, expected) => {
    // Words are cut from tags only where no excerpt was written.
    expect(tribePostExcerpt({ text, isExcerpt: true }, 'en_US')).toBe(expected);
    expect(excerpt(text)).toBe(`<p>${expected.replace(/<[^<>]*>|\n/g, '')}</p>\n`);
  });

  it('write an entity that was escaped once as the entity', () => {
    expect(escJs('&amp;amp; &amp;#8217; &amp;#x27; &amp;lt; &amp;amp;#39; &amp;#0;')).toBe(
      "&amp;amp; &#8217; \\' &amp;lt; &amp;amp;#39; &amp;#0;",
    );
  });
});

describe('unusual shortcodes', () => {
  it('render the tracks of a video', () => {
    expect(content('[video mp4="v.mp4"] <track src="x">\n[/video]')).toContain(
      ' /><track src="x"><a href="http://v.mp4">',
    );
  });

  it('link what [embed] names in an attribute', () => {
    expect(content('[embed src="http://example.com/a"]')).toBe(
      '<p><a href="http://example.com/a">http://example.com/a</a></p>',
    );
  });

  it('remove invalid schemes from a shortcode in a link', () => {
    expect(content('<a href="[gallery ids=1 link=none]">x</a>', [picture({})])).toContain(
      `<a href="//${UPLOADS.slice(7)}/2091/03/x.jpg&quot; class=&quot;`,
    );
  });

  it.each<[string, Attachment, string | RegExp]>([
    ['no file', picture({ file: '' }), '>A &amp; B</a>\n\t\t\t</div>'],
    ['the file 0', picture({ file: '0' }), '>A &amp; B</a>\n\t\t\t</div>'],
    ['tags in the text', picture({ alt: '<b>bold</b>' }), 'alt="bold"'],
    ['no size', picture({}), "gallery-icon '"],
    ['sizes of 0', picture({}, 'a:2:{s:5:"width";i:0;s:6:"height";i:0;}'), "gallery-icon landscape'"],
    [
      'a width only',
      picture({}, 'a:2:{s:5:"width";d:10.5;s:6:"height";N;}'),
      /gallery-icon '[\s\S]*width="1" height="1"/,
    ],
    [
      'no thumbnail',
      picture({}, 'a:2:{s:5:"width";i:3000;s:6:"height";i:2000;}'),
      'width="150" height="100"',
    ],
    [
      'a thumbnail without a file',
      picture(
        {},
        'a:3:{s:5:"width";i:30;s:6:"height";i:20;s:5:"sizes";a:2:{s:1:"a";a:3:{s:4:"file";s:5:"b.jpg";s:5:"width";i:1;s:6:"height";i:1;}s:9:"thumbnail";a:1:{s:4:"file";s:0:"";}}}',
      ),
      /width="30" height="20" src="[^"]*\/2091\/03\/" class="[^"]*" alt="" \/>/,
    ],
  ])('show a gallery image with %s', (_name, attachment, expected) => {
    expect(gallery(attachment)).toMatch(
      typeof expected === 'string' ? new RegExp(expected.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')) : expected,
    );
  });
});

describe('look-behind matching', () => {
  it('finds the positions that a look-behind at every character finds', () => {
    const parts = ['', 'a', ' ', '"', '-', '--', '&nbsp;', "'"];
    const before = '^|[ (]|&nbsp;';
    const found = (pattern: string, text: string) =>
      [...text.matchAll(new RegExp(pattern, 'g'))].map(({ index }) => index);
    const different = parts
      .flatMap((a) => parts.flatMap((b) => parts.flatMap((c) => parts.map((d) => a + b + c + d))))
      .flatMap((text) => ["'", '"', '-', '--'].map((mark) => ({ text, mark })))
      .filter(
        ({ text, mark }) =>
          found(behind(before, mark), text).join() !== found(`(?<=${before})${mark}`, text).join(),
      );
    expect(different).toEqual([]);
  });
});
