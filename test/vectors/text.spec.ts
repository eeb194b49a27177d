import { SMILIES } from '../../src/lib/wordpress-text/formatting/data/smilies.js';
import { convertChars, convertInvalidEntities } from '../../src/lib/wordpress-text/formatting/esc-html.js';
import {
  capitalPDangit,
  convertSmilies,
  shortcodeUnautop,
  theTitle,
} from '../../src/lib/wordpress-text/formatting/the-content.js';
import { wpautop } from '../../src/lib/wordpress-text/formatting/wpautop.js';
import { wptexturize } from '../../src/lib/wordpress-text/formatting/wptexturize.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

interface Row {
  in: string;
  out: string;
}

const SITE = { useSmilies: true, siteUrl: 'http://events.example.test' };

const HOSTILE = [
  ...[
    '<',
    '>',
    '[',
    ']',
    '"',
    "'",
    '-',
    '&',
    '.',
    ' ',
    '\n',
    '\t',
    ' \n',
    '`',
    '<!--',
    '<![CDATA[',
    '1.',
    '1x',
  ],
  ...[
    '<p',
    '<p>',
    '</p>',
    '<p> ',
    '<p><li',
    '<x<p><li',
    '<br',
    '<br ',
    '<br> ',
    '<pre',
    '<pre>',
    '<pre></pre>',
  ],
  ...[
    '<script',
    '<script>\n',
    '<svg><math>',
    '<object ',
    '<param ',
    '</object><param',
    '<source ',
    '<option ',
  ],
  ...[
    '<code>',
    '<div>\n\n',
    '<blockquote>',
    '<p><blockquote',
    '[gallery',
    '[gallery ',
    '[gallery]',
    '[gallery <',
  ],
  ...[
    '<p>[gallery',
    '<p>[gallery]',
    '<p>&nbsp;[gallery]',
    '<p>[caption]&nbsp;',
    '&nbsp;',
    ':)',
    ':) ',
    '"1" ',
    "'1",
  ],
  ...[
    '"a',
    '1"',
    "'99",
    '1.x',
    '--',
    'xn--',
    '&#1',
    '&#150;',
    'Wordpress',
    ' Wordpress',
    '<a <p>\n',
    '\r',
    '\0',
  ],
];

function prove<R extends Row>(name: string, render: (row: R) => string): void {
  proveVectors(name, loadVectors<R[]>(name), (row) => ({ expected: row.out, actual: render(row) }));
}

describe('text', () => {
  prove('wptexturize', (row) => wptexturize(row.in));
  prove('convert_chars', (row) => convertChars(row.in));
  proveVectors(
    'convert_invalid_entities',
    loadVectors<(Row & { convert_invalid_entities: string })[]>('convert_chars'),
    (row) => ({ expected: row.convert_invalid_entities, actual: convertInvalidEntities(row.in) }),
  );
  prove<Row & { args: { filter: 'the_title' | 'the_content' } }>('capital_p_dangit', (row) =>
    capitalPDangit(row.in, row.args.filter),
  );
  prove('the_title', (row) => theTitle(row.in, 'en_US'));
  prove('convert_smilies', (row) => convertSmilies(row.in, SITE));
  proveVectors(
    'smilies-table',
    Object.entries(loadVectors<Record<string, string>>('smilies-table')),
    ([code, sign]) => ({ expected: sign, actual: SMILIES.get(code) }),
  );
  const paragraphs = loadVectors<(Row & { args?: { br?: boolean } })[]>('wpautop').filter(
    (row) => row.args?.br !== false,
  );
  proveVectors('wpautop', paragraphs, (row) => ({ expected: row.out, actual: wpautop(row.in) }));
  prove('shortcode_unautop', (row) => shortcodeUnautop(row.in));

  const renderAll = (text: string) => {
    convertSmilies(shortcodeUnautop(wpautop(wptexturize(text))), SITE);
    return theTitle(convertInvalidEntities(text), 'en_US');
  };
  it.each(HOSTILE)('takes linear time for 100 kB of %j', (unit) => {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    const start = performance.now();
    renderAll(text);
    renderAll(`1x${text}`);
    renderAll(`<p>${text}</pre></script></svg></object>[/gallery]</p>`);
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  it('keeps smiley codes when the site disables smilies', () => {
    expect(convertSmilies('a :) b', { ...SITE, useSmilies: false })).toBe('a :) b');
  });
});
