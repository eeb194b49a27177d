import { doBlocks } from '../../src/lib/wordpress-text/formatting/blocks/do-blocks.js';
import { hasBlocks, parseBlocks } from '../../src/lib/wordpress-text/formatting/blocks/parse-blocks.js';
import type { ThemeSupport } from '../../src/lib/wordpress-text/formatting/render-context.js';
import { makeRenderContext } from '../support/render-context.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

interface Row {
  in: string;
  out: string;
}

const render = (text: string, theme: ThemeSupport = 'classic') => doBlocks(text, makeRenderContext(theme));

const EXCEPTIONS = {
  81: "renders the site's name (R16)",
  86: 'renders the months that have posts (R16)',
  90: 'renders the most used tags (R16)',
};

describe('blocks', () => {
  for (const [name, theme] of [
    ['do_blocks', 'classic'],
    ['do_blocks_block_theme', 'block'],
  ] as const) {
    proveVectors(
      name,
      loadVectors<Row[]>(name),
      (row) => ({ expected: row.out, actual: render(row.in, theme) }),
      EXCEPTIONS,
    );
  }

  it('are detected by the literal text of a delimiter', () => {
    expect(hasBlocks('<!-- wp:paragraph {"a":1 -->')).toBe(true);
    expect(hasBlocks('<!--  wp:paragraph -->')).toBe(false);
  });

  it('are parsed with the pieces around inner blocks', () => {
    const inner = { blockName: 'core/b', attrs: {}, content: [] };
    expect(parseBlocks('x<!-- wp:a {"k":[1]} -->y<!-- wp:b /-->z<!-- /wp:a -->')).toEqual([
      { blockName: null, attrs: {}, content: ['x'] },
      { blockName: 'core/a', attrs: { k: [1] }, content: ['y', inner, 'z'] },
    ]);
  });

  it('number galleries and search forms within a request', () => {
    const ctx = makeRenderContext('classic');
    const gallery = '<!-- wp:gallery --><figure class="wp-block-gallery"></figure><!-- /wp:gallery -->';
    expect(doBlocks(gallery, ctx)).toContain('wp-block-gallery-1 ');
    expect(doBlocks(gallery, ctx)).toContain('wp-block-gallery-2 ');
    expect(doBlocks('<!-- wp:search /--><!-- wp:search /-->', ctx)).toContain('wp-block-search__input-2');
  });

  it('number an inner gallery after the outer one', () => {
    const gallery = (inner: string) =>
      `<!-- wp:gallery --><figure class="wp-block-gallery">${inner}</figure><!-- /wp:gallery -->`;
    const html = render(gallery(gallery('')) + gallery(''));
    expect(html.match(/wp-block-gallery-\d/g)).toEqual([1, 2, 3].map((at) => `wp-block-gallery-${at}`));
  });

  it.each(['classic', 'classic-no-html5', 'block'] as const)(
    'number outlined buttons within a request with a %s theme',
    (theme) => {
      const ctx = makeRenderContext(theme);
      const button = (style: string) =>
        `<!-- wp:button {"className":"${style}"} --><div class="wp-block-button ${style}"><a>x</a></div><!-- /wp:button -->`;
      for (const at of [1, 2])
        expect(doBlocks(button('is-style-outline'), ctx)).toBe(
          `<div class="wp-block-button is-style-outline is-style-outline--${at}"><a>x</a></div>`,
        );
      expect(doBlocks(button('is-style-fill'), ctx)).toBe(
        '<div class="wp-block-button is-style-fill"><a>x</a></div>',
      );
      const line =
        '<!-- wp:separator {"className":"is-style-wide"} --><hr class="wp-block-separator is-style-wide"/><!-- /wp:separator -->';
      expect(doBlocks(line, ctx).includes('is-style-wide--')).toBe(theme === 'block');
    },
  );

  it.each([
    ['', ' aria-label="PDF embed" data-wp-bind--hidden="!state.hasPdfPreview" hidden data="f.pdf"'],
    [
      ' aria-label=""',
      ' data-wp-bind--hidden="!state.hasPdfPreview" hidden data="f.pdf" aria-label="PDF embed"',
    ],
    [
      ' aria-label="PDF embed"',
      ' data-wp-bind--hidden="!state.hasPdfPreview" hidden data="f.pdf" aria-label="PDF embed"',
    ],
    [
      ' aria-label="f"',
      ' data-wp-bind--hidden="!state.hasPdfPreview" hidden data="f.pdf" aria-label="Embed of f."',
    ],
  ])('label the preview of a file with%s', (label, members) => {
    const file = (attributes: string) =>
      `<!-- wp:file ${attributes} --><div class="wp-block-file"><object data="f.pdf"${label}></object></div><!-- /wp:file -->`;
    expect(render(file('{"displayPreview":true}'))).toBe(
      `<div data-wp-interactive="core/file" class="wp-block-file"><object${members}></object></div>`,
    );
    expect(render(file('{}'))).toBe(
      `<div class="wp-block-file"><object data="f.pdf"${label}></object></div>`,
    );
  });

  describe('an image with a lightbox', () => {
    const image = (attributes: object, inner = '<img src="a.jpg" alt="A"/>') =>
      `<!-- wp:image ${JSON.stringify(attributes)} --><figure class="wp-block-image">${inner}</figure><!-- /wp:image -->`;
    const lightbox = { enabled: true };

    it('has a container, attributes and a button', () => {
      const html = render(image({ lightbox, id: 5 }, '<img src="a.jpg" alt="A"/><figcaption>c</figcaption>'));
      const [, id] = /imageId&quot;:&quot;([\da-f]{13})&quot;}"/.exec(html) ?? [];
      expect(html).toContain(
        `<figure data-wp-context="{&quot;imageId&quot;:&quot;${id}&quot;}" data-wp-interactive="core/image" data-wp-key="${id}" class="wp-block-image wp-lightbox-container"><img data-wp-class--hide="state.isContentHidden" data-wp-class--show="state.isContentVisible" data-wp-init="callbacks.setButtonStyles" data-wp-on-async--click="actions.showLightbox" data-wp-on-async--load="callbacks.setButtonStyles" data-wp-on-async-window--resize="callbacks.setButtonStyles" src="a.jpg" alt="A"/><button\n\t\t\tclass="lightbox-trigger"`,
      );
      expect(html).toMatch(/<\/svg>\n\t\t<\/button><figcaption>c<\/figcaption><\/figure>$/);
    });

    it('has an id that depends on its content only', () => {
      const ids = ['a.jpg', 'a.jpg', 'b.jpg'].map(
        (src) => /data-wp-key="(\w+)"/.exec(render(image({ lightbox }, `<img src="${src}"/>`)))?.[1],
      );
      expect(new Set(ids).size).toBe(2);
    });

    it.each<[object, string?]>([
      [{}],
      [{ lightbox: { enabled: false } }],
      [{ lightbox: { enabled: 'true' } }],
      [{ lightbox: true }],
      [{ lightbox, linkDestination: 'media' }],
      [{ lightbox, linkDestination: 'custom' }],
    ])('has no lightbox with %j', (attributes) => {
      expect(render(image(attributes))).toBe(
        '<figure class="wp-block-image"><img src="a.jpg" alt="A"/></figure>',
      );
    });

    it('renders nothing without an img element', () => {
      expect(render(`<!-- wp:image ${JSON.stringify({ lightbox })} -->\n\n<!-- /wp:image -->`)).toBe('');
    });
  });

  it.each([
    ['<!-- wp:widget-group --><div>x</div><!-- /wp:widget-group -->', ''],
    ['<!-- wp:widget-group /-->', ''],
    [
      '<!-- wp:widget-group --><div><!-- wp:paragraph --><p>y</p><!-- /wp:paragraph --></div><!-- /wp:widget-group -->',
      '<p>y</p>',
    ],
  ])('render only the inner blocks of a widget group: %s', (text, inner) => {
    expect(render(text)).toBe(`<div class="wp-widget-group__inner-blocks">${inner}</div>`);
  });

  it.each([
    [
      'unknown layout',
      '<!-- wp:group {"layout":{"type":"constructor"}} --><div class="wp-block-group"></div>',
    ],
    [
      'invalid attributes',
      '<!-- wp:columns {"layout":[],"style":{"spacing":7}} --><div></div><!-- /wp:columns -->',
    ],
    ['void blocks', '<!-- wp:group /--><!-- wp:heading /--><!-- wp:gallery /--><!-- wp:cover /-->'],
    [
      'a __proto__ member',
      '<!-- wp:group {"__proto__":{"layout":{}},"layout":{"__proto__":1}} --><div></div>',
    ],
  ])('are rendered with %s', (_name, text) => {
    for (const theme of ['classic', 'block', 'classic-no-html5'] as const)
      expect(render(text, theme)).not.toContain('function');
  });

  it.each([
    ['<!-- wp:group --><div class="wp-block-group">', ''],
    ['<!-- wp:a {', ''],
    ['<!-- wp:a {"a":1} ', ''],
    ['<!--', ''],
    ['<!-- wp:heading -->', '<'],
    ['<!-- wp:button -->', '<'],
    ['<!-- wp:image -->', '<img '],
    ['<!-- wp:image --><img ', 'a="'],
    ['<!-- wp:image --><img ', '/ '],
    ['<!-- wp:list --><p ', "=' "],
    ['<!-- wp:group {"a":', '['],
    ['<!-- wp:group {"layout":{"type":"flex"}} -->', '<textarea>'],
  ])('are rendered in linear time for many %s%s', (head, repeated) => {
    const text = repeated === '' ? head.repeat(100_000 / head.length) : head + repeated.repeat(50_000);
    const closed = `${text}]} --></figure></div><!-- /wp:image -->`;
    const start = performance.now();
    for (const theme of ['classic', 'block'] as const)
      for (const input of [text, closed]) render(input, theme);
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
