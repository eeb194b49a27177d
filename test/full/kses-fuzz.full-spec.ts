import {
  KSES_CONTEXTS,
  type KsesContext,
} from '../../src/lib/wordpress-text/formatting/data/kses-allowlist.js';
import { safecssFilterAttr, wpKses } from '../../src/lib/wordpress-text/formatting/wp-kses.js';
import { loadVectors } from '../support/vectors.js';

interface Tag {
  name: string;
  attributes: [name: string, value: string][];
}

const TAG_START = /<(?:!--|[!?]|\/[^a-z]|(\/?)([a-z][^\s/>]*))/gi;
const ATTRIBUTE = /[\s/]*(?:([^\s/>=][^\s/>=]*|=[^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s>]*)))?)?/y;
const STYLE_DANGER =
  /expression\(|url\(\s*['"]?\s*(?:javascript|vbscript|data):|(?:^|;)\s*(?:behavior|-moz-binding)\s*:|\\/i;
const COMMENT_END = /^-?>|--!?>/g;

/** The tags that a browser sees: an HTML 5 tokenizer reduced to the checks below. */
function browserTags(html: string): Tag[] {
  const tags: Tag[] = [];
  TAG_START.lastIndex = 0;
  for (let start = TAG_START.exec(html); start !== null; start = TAG_START.exec(html)) {
    const name = start[2]?.toLowerCase();
    if (name === undefined) {
      const end =
        start[0] === '<!--' ? commentEnd(html, TAG_START.lastIndex) : html.indexOf('>', start.index);
      TAG_START.lastIndex = end < 0 ? html.length : end;
      continue;
    }
    const tag: Tag = { name, attributes: [] };
    ATTRIBUTE.lastIndex = TAG_START.lastIndex;
    for (let found = ATTRIBUTE.exec(html); found?.[1] !== undefined; found = ATTRIBUTE.exec(html)) {
      tag.attributes.push([found[1].toLowerCase(), found[2] ?? found[3] ?? found[4] ?? '']);
      TAG_START.lastIndex = ATTRIBUTE.lastIndex;
    }
    tags.push(tag);
  }
  return tags;
}

function commentEnd(html: string, from: number): number {
  const rest = html.slice(from);
  COMMENT_END.lastIndex = 0;
  return COMMENT_END.test(rest) ? from + COMMENT_END.lastIndex : -1;
}

/** A URL as a browser reads it: decoded, without line breaks, tabs and leading control characters. */
function browserUrl(value: string): string {
  return value
    .replace(/&#(?:x([\da-f]+)|(\d+));?/gi, (_, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    })
    .replace(
      /&(colon|Tab|NewLine|amp);/g,
      (_, name: string) => ({ colon: ':', Tab: '\t', NewLine: '\n' })[name] ?? '&',
    )
    .replace(/[\t\r\n]/g, '')
    .replace(/^[\0- ]+/, '')
    .toLowerCase();
}

/** The dangerous parts of the HTML, found without code of the filter itself. */
function dangers(html: string, context: KsesContext): string[] {
  const found: string[] = [];
  for (const { name, attributes } of browserTags(html)) {
    if (!KSES_CONTEXTS[context].has(name)) found.push(`element ${name}`);
    for (const [attribute, value] of attributes) {
      if (/^on|^srcdoc$|^srcset$|^formaction$|["'<]/.test(attribute)) found.push(`attribute ${attribute}`);
      if (
        /^(?:javascript|vbscript|data):/.test(browserUrl(value)) &&
        /^(?:href|src|cite|data|poster)$/.test(attribute)
      )
        found.push(`${attribute} ${value}`);
      if (attribute === 'style' && STYLE_DANGER.test(value)) found.push(`style ${value}`);
    }
  }
  return found;
}

/** A seeded random generator (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const PIECES = [
  ...'<>/="\'&;:!- \t\n\0\\`()[]{}',
  '<script>',
  '</script>',
  '<script ',
  '<svg/onload=x>',
  '<img src=x onerror=x>',
  '<a href="',
  ' onclick=x ',
  'javascript:',
  'jav\tascript:',
  '&#106;avascript:',
  'javascript&colon;',
  'data:text/html,',
  'vbscript:',
  '<!--',
  '-->',
  '--!>',
  '<!-- wp:a {"a":"\\u003cscript\\u003e"} /-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '</ ',
  '<title>',
  ' style="',
  'expression(1)',
  'url(',
  'url(javascript:x)',
  '&quot;',
  '&#34;',
  '&lt;',
  ' src=',
  ' data-x="',
  '<textarea>',
  '</title>',
  '<object data=x ',
  'feed:',
  ' href=`',
  '\u2028',
  '\u00a0',
  '\ud83d\ude00',
  '\u0130',
];

/** Recorded inputs, cut, joined and mixed with attacks. */
function mutants(count: number): string[] {
  const seeds = loadVectors<{ in: string }[]>('wp_kses_post').map((row) => row.in);
  const next = random(20261118);
  const seed = () => seeds[next(seeds.length)] ?? '';
  return Array.from({ length: count }, () => {
    let text = seed();
    for (let step = 1 + next(6); step > 0; step--) {
      const at = next(text.length + 1);
      const inserted = next(4) === 0 ? seed() : (PIECES[next(PIECES.length)] ?? '');
      text = text.slice(0, at) + inserted + text.slice(at + next(3));
    }
    return text;
  });
}

describe('kses on mutated input', () => {
  const corpus = mutants(20_000);

  it('detects dangerous markup', () => {
    const bad = [
      '<script>',
      '<p onclick=x>',
      '<a href=java&#115;cript:x>',
      "<a title='x'onclick=x>",
      '<p style="a:expression(1)">',
    ];
    for (const html of [...bad, '<!-- --!><script>', '<a href="&#10;javascript&colon;x">'])
      expect([html, dangers(html, 'post').length > 0]).toEqual([html, true]);
  });

  it.each(['post', 'data'] as const)('lets no dangerous markup through: %s', (context) => {
    const broken = corpus
      .map((text) => ({ text, html: wpKses(text, context) }))
      .filter(({ html }) => dangers(html, context).length > 0)
      .map((row) => ({ ...row, dangers: dangers(row.html, context) }));
    expect(broken.slice(0, 5)).toEqual([]);
  });

  it.each(['background:linear-gradient(red,b\\6cue)', 'background:url(java\\73cript)', 'width:calc(x(1))'])(
    'drops the declaration %s',
    (css) => {
      expect(safecssFilterAttr(css)).toBe('');
    },
  );

  it('is idempotent, except in comments and styles', () => {
    const changed = corpus
      .map((text) => wpKses(text, 'post'))
      .filter((html) => !html.includes('<!--') && !html.includes('style='))
      .filter((html) => wpKses(html, 'post') !== html);
    expect(changed.slice(0, 5)).toEqual([]);
  });

  it.each([
    '<',
    '>',
    '&',
    '<!--',
    '<!-- >',
    '<!-->',
    '-->',
    '<!-- wp:a {"',
    '<a ',
    '<a b=',
    '<a b="',
    "<a b='x' ",
    '<p/>',
    '<a href="feed:',
    '<a href="x:y:',
    '\\',
    '\\0',
    '<p style="a(',
    '<p style=";',
    '&#0',
    '</',
    '</ ',
    '[',
    '"',
    '-',
    '<!-- wp:a {"a":"\\u003cb\\u003e"} /-->',
    '<b>',
    '</b>',
    '<br>',
    '{',
    '<p a',
    '<p =',
  ])('takes linear time on 100 kB of %j', (piece) => {
    const text = piece.repeat(100_000 / piece.length);
    const start = performance.now();
    for (const html of [
      text,
      `<p a="${text}">`,
      `<p ${text}>`,
      `<a href="${text}">`,
      `<!-- wp:a {"a":"${text}"} /-->`,
    ])
      wpKses(html, 'post');
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  it.each([
    'calc(',
    'url(',
    '(',
    ')',
    'linear-gradient(',
    'rgb(',
    'rgb(1)',
    ';',
    ':',
    'a',
    '-',
    '&',
    '/*',
    ' ',
    '\\0',
  ])('takes linear time on a style of 100 kB of %j', (piece) => {
    const text = piece.repeat(100_000 / piece.length);
    const start = performance.now();
    for (const css of [text, `background:${text}`, `background:linear-gradient(${text}`, `--x:url(${text})`])
      safecssFilterAttr(css);
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
