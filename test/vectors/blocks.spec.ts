import { doBlocks } from '../../src/wordpress/formatting/blocks/do-blocks.js';
import { hasBlocks, parseBlocks } from '../../src/wordpress/formatting/blocks/parse-blocks.js';
import type { ThemeSupport } from '../../src/wordpress/formatting/render-context.js';
import { makeRenderContext } from '../support/render-context.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

interface Row {
  in: string;
  out: string;
}

const render = (text: string, theme: ThemeSupport = 'classic') => doBlocks(text, makeRenderContext(theme));

const EXCEPTIONS = {
  81: "shows the site's name (R16)",
  86: 'shows the months that have posts (R16)',
  90: 'shows the most used tags (R16)',
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

  it('only looks for the literal text to tell whether there are blocks', () => {
    expect(hasBlocks('<!-- wp:paragraph {"a":1 -->')).toBe(true);
    expect(hasBlocks('<!--  wp:paragraph -->')).toBe(false);
  });

  it('keeps the pieces around inner blocks', () => {
    const inner = { blockName: 'core/b', attrs: {}, content: [] };
    expect(parseBlocks('x<!-- wp:a {"k":[1]} -->y<!-- wp:b /-->z<!-- /wp:a -->')).toEqual([
      { blockName: null, attrs: {}, content: ['x'] },
      { blockName: 'core/a', attrs: { k: [1] }, content: ['y', inner, 'z'] },
    ]);
  });

  it('numbers galleries and search forms through one request', () => {
    const ctx = makeRenderContext('classic');
    const gallery = '<!-- wp:gallery --><figure class="wp-block-gallery"></figure><!-- /wp:gallery -->';
    expect(doBlocks(gallery, ctx)).toContain('wp-block-gallery-1 ');
    expect(doBlocks(gallery, ctx)).toContain('wp-block-gallery-2 ');
    expect(doBlocks('<!-- wp:search /--><!-- wp:search /-->', ctx)).toContain('wp-block-search__input-2');
  });

  it.each([
    [
      'unknown layout',
      '<!-- wp:group {"layout":{"type":"constructor"}} --><div class="wp-block-group"></div>',
    ],
    [
      'odd attributes',
      '<!-- wp:columns {"layout":[],"style":{"spacing":7}} --><div></div><!-- /wp:columns -->',
    ],
    ['void blocks', '<!-- wp:group /--><!-- wp:heading /--><!-- wp:gallery /--><!-- wp:cover /-->'],
    ['odd prototype', '<!-- wp:group {"__proto__":{"layout":{}},"layout":{"__proto__":1}} --><div></div>'],
  ])('survives %s', (_name, text) => {
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
  ])('takes linear time for many %s%s', (head, repeated) => {
    const text = repeated === '' ? head.repeat(100_000 / head.length) : head + repeated.repeat(50_000);
    const closed = `${text}]} --></figure></div><!-- /wp:image -->`;
    const start = performance.now();
    for (const theme of ['classic', 'block'] as const)
      for (const input of [text, closed]) render(input, theme);
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
