import { attachmentsIn } from '../../src/lib/wordpress-text/formatting/attachments-in-text.js';
import type { Attachment, ThemeSupport } from '../../src/lib/wordpress-text/formatting/render-context.js';
import { theContent, theExcerpt } from '../../src/lib/wordpress-text/formatting/the-content.js';
import type { PhpValue } from '../../src/lib/wordpress-text/php-serialize.js';
import { VECTOR_HOME as HOME, makeRenderContext } from '../support/render-context.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

interface Row {
  in: string;
  out: string;
}

interface FixtureAttachment {
  ID: number;
  post_title: string;
  post_excerpt: string;
  post_content: string;
  post_name: string;
  post_mime_type: string;
  post_parent: number;
  post_date: string;
  _wp_attached_file: string;
  alt: string;
  metadata: unknown;
}

const toPhp = (value: unknown): PhpValue => {
  if (value === null || typeof value !== 'object') return value as PhpValue;
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return new Map(entries.map(([key, item]) => [key, toPhp(item)]));
};

const ATTACHMENTS: readonly Attachment[] = loadVectors<FixtureAttachment[]>('fixture-attachments').map(
  (row) => ({
    id: row.ID,
    title: row.post_title,
    excerpt: row.post_excerpt,
    content: row.post_content,
    slug: row.post_name,
    mimeType: row.post_mime_type,
    parentId: row.post_parent,
    date: row.post_date,
    file: row._wp_attached_file,
    guid: '',
    alt: row.alt,
    metadata: toPhp(row.metadata),
  }),
);

const context = (theme?: ThemeSupport, attachments = ATTACHMENTS) => makeRenderContext(theme, attachments);

const render = (text: string, theme?: ThemeSupport) => theContent(text, context(theme));

/** Renders with only those attachments that the scan of the raw text finds. */
const renderScanned = (text: string) => {
  const { ids, unattached, parents } = attachmentsIn([text]);
  const loaded = ATTACHMENTS.filter(
    ({ id, parentId }) => ids.includes(id) || parents.includes(parentId) || (unattached && parentId === 0),
  );
  return theContent(text, context('classic', loaded));
};

const SITE_BLOCKS = {
  81: "renders the site's name (R16)",
  86: 'renders the months that have posts (R16)',
  90: 'renders the most used tags (R16)',
};
const QR = { 184: 'the picture of a QR code, whose address is encrypted with a secret of the site' };

describe('content', () => {
  const themes = [
    ['', 'classic'],
    ['_block_theme', 'block'],
  ] as const;
  for (const [suffix, theme] of themes) {
    const rows = loadVectors<Row[]>(`the_content${suffix}`);
    proveVectors(
      `the_content${suffix}`,
      rows,
      (row) => ({ expected: row.out, actual: render(row.in, theme) }),
      QR,
    );

    const shared = context(theme);
    proveVectors(
      `the_content_sequence${suffix}`,
      loadVectors<Row[]>(`the_content_sequence${suffix}`),
      (row) => ({ expected: row.out, actual: theContent(row.in, shared) }),
    );

    proveVectors(
      `do_blocks${suffix}, the_content`,
      loadVectors<(Row & { the_content: string })[]>(`do_blocks${suffix}`),
      (row) => ({ expected: row.the_content, actual: render(row.in, theme) }),
      SITE_BLOCKS,
    );
  }

  proveVectors('the_excerpt', loadVectors<Row[]>('the_excerpt'), (row) => ({
    expected: row.out,
    actual: theExcerpt(row.in, context()),
  }));

  proveVectors(
    'the_content with the attachments that the scan finds',
    loadVectors<Row[]>('the_content'),
    (row) => ({ expected: row.out, actual: renderScanned(row.in) }),
    QR,
  );

  const QUOTE = '<!-- wp:paragraph -->\n<p>x</p>\n<!-- /wp:paragraph -->';
  const CAPTION = '[caption width="10"]<img src="a.jpg" /> c[/caption]\n\nText.';
  const FIGURE =
    '<figure style="width: 10px" class="wp-caption alignnone"><img decoding="async" src="a.jpg" />' +
    '<figcaption class="wp-caption-text">c</figcaption></figure>';

  it('keeps shortcodes in their paragraphs after a text with blocks in the same request', () => {
    const shared = context();
    expect(theContent(CAPTION, shared)).toBe(`${FIGURE}\n<p>Text.</p>`);
    theContent(QUOTE, shared);
    expect(theContent(CAPTION, shared)).toBe(`<p>${FIGURE}</p>\n<p>Text.</p>`);
  });

  it('sets fetchpriority on the first large eager image of a request', () => {
    const shared = context();
    const tag = (size: number, more = '') =>
      theContent(`<img src="a.jpg" width="${size}" height="${size}" loading="eager"${more}>`, shared);
    expect(tag(100)).not.toContain('fetchpriority');
    expect(tag(500)).toContain('fetchpriority="high"');
    expect(tag(500)).not.toContain('fetchpriority');
    expect(tag(500, ' fetchpriority="high"').match(/fetchpriority/g)).toHaveLength(1);
  });

  it('uses older elements for themes without HTML 5', () => {
    expect(render(CAPTION, 'classic-no-html5')).toContain(
      '<div style="width: 10px" class="wp-caption alignnone">',
    );
    expect(render('[gallery ids="101"]', 'classic-no-html5')).toContain("<dl class='gallery-item'>");
  });

  it('links gallery images to their pages', () => {
    const pretty = context();
    pretty.site.permalinkStructure = '/%postname%/';
    expect(theContent('[gallery ids="102"]', pretty)).toContain(`<a href='${HOME}/small/'>`);
    const attached = ATTACHMENTS.map((one) => ({
      ...one,
      parentId: 5,
      link: `${HOME}/event/x/${one.slug}/`,
    }));
    expect(theContent('[gallery id="5"]', context('classic', attached))).toContain(
      `<a href='${HOME}/event/x/small/'>`,
    );
  });

  it('sanitizes HTML in the caption attribute', () => {
    const html = render(`[caption width="9" caption="<b onclick='x()'>y</b>"]<img src="a.jpg" />[/caption]`);
    expect(html).toContain('><b>y</b></figcaption>');
  });

  it('keeps brackets that begin no shortcode', () => {
    expect(render('<a title="[x] [audio src=\'a.mp3\']">[1]</a> [2] [audio src="a.txt"]')).toContain('[2]');
    expect(render('<b title="[gallery ids=999]">y</b>')).toBe('<p><b title="">y</b></p>');
    expect(render('<a onclick="[gallery ids=999]">y</a>')).toBe(
      '<p><a onclick="[gallery ids=999]">y</a></p>',
    );
    expect(render('<b title="[embed]http://x.test[/embed]">y</b>')).toContain('title=""');
  });

  it('finds the attachments of a text', () => {
    expect(
      attachmentsIn(['no image', '<img class="wp-image-3">', '[gallery ids="4, 5"] [playlist include=6]']),
    ).toEqual({ ids: [3, 4, 5, 6], unattached: false, parents: [] });
    expect(attachmentsIn(['[gallery id="7"]', '<!-- wp:gallery {"ids":[8,9],"mediaId":10} -->'])).toEqual({
      ids: [],
      unattached: false,
      parents: [7],
    });
    expect(attachmentsIn(['[gallery exclude="4"]']).unattached).toBe(true);
    expect(attachmentsIn(['[playlist ids="1"\ntype="video"]']).unattached).toBe(true);
  });

  it.each([
    '<',
    '[',
    '"',
    '-',
    '<img ',
    '<img src="',
    '<p>\n',
    '[audio ',
    '[audio]',
    '[[audio]',
    '[/audio]',
    '[gallery ids="1"',
    '<a title="[audio',
    '<!--',
    '<!-- wp:',
    '<![CDATA[',
    'http://x.test/a.mp3',
    'http://x.test/a.mp3\n',
    '[caption width=1 caption=x]',
    '[caption]<a ',
    '[audio a=" ',
    '[audio x',
    'a ',
    ' ',
    '\n',
    '<p ',
    '&#91;',
    '<b a="[audio]" ',
    '[embed]',
    '<pre',
    '[audio src=a.mp3/',
  ])('takes linear time for 100 kB of %j', (piece) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    const start = performance.now();
    render(text);
    theExcerpt(text, context());
    attachmentsIn([text]);
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
