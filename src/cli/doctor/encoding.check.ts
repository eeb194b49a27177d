import { isUtf8 } from 'node:buffer';
import sql, { join, raw } from 'sql-template-tag';
import { isReadOnly } from '../../database/database-errors.js';
import { latin1Bytes } from '../../database/latin1.js';
import { counted } from '../counted.js';
import type { Check } from './check.js';
import { batches, once, type SiteView } from './site-view.js';

/** Columns with user texts, by table and its id. */
const TEXTS: readonly (readonly [table: string, id: string, columns: readonly string[]])[] = [
  ['posts', 'ID', ['post_title', 'post_excerpt', 'post_content']],
  ['postmeta', 'meta_id', ['meta_value']],
  ['terms', 'term_id', ['name']],
  ['term_taxonomy', 'term_taxonomy_id', ['description']],
  ['options', 'option_id', ['option_value']],
  ['users', 'ID', ['display_name']],
];

/** How rows with non-ASCII characters are stored. */
interface TextEncodings {
  /** Rows with UTF-8 bytes that the server interprets as latin1: `CafÃ©`. */
  twice: number;
  /** Example rows, such as `wp_posts 12`. */
  examples: readonly string[];
  /** All other rows. */
  once: number;
  /** Rows among them with characters outside latin1. */
  beyond: number;
}

/** Detects the encoding of a site's texts. */
export const textEncodings = once(countEncodings);

async function countEncodings(site: SiteView): Promise<TextEncodings> {
  const examples: string[] = [];
  const found = { twice: 0, once: 0, beyond: 0 };
  for (const [table, id, columns] of TEXTS) {
    if (!site.has(table)) continue;
    try {
      for await (const rows of batches(foreignTexts(site, table, id, columns)))
        for (const { id: number, ...texts } of rows) {
          const kinds = new Set(Object.values(texts).map(encodingOf));
          if (kinds.has('twice')) {
            found.twice++;
            examples.push(`${site.nameOf(table)} ${number}`);
          } else {
            found.once++;
            if (kinds.has('beyond')) found.beyond++;
          }
        }
    } catch (error) {
      // The check of rights reports unreadable tables.
      if (!isReadOnly(error)) throw error;
    }
  }
  return { ...found, examples };
}

/** Selects non-ASCII texts, as UTF-8 of the server's interpretation, independent of the session's charset. */
function foreignTexts(site: SiteView, table: string, id: string, columns: readonly string[]) {
  const key = raw(id);
  const isForeign = (column: string) =>
    raw(`LENGTH(CONVERT(${column} USING utf8mb4)) <> CHAR_LENGTH(${column})`);
  const texts = columns.map((column, at) =>
    raw(`CAST(CONVERT(${column} USING utf8mb4) AS BINARY) AS t${at}`),
  );
  return (after: number, most: number) =>
    site.rows<{ id: number } & Record<`t${number}`, Buffer | null>>(
      sql`SELECT ${key} AS id, ${join(texts)} FROM ${site.table(table)}
          WHERE ${key} > ${after} AND (${join(columns.map(isForeign), ' OR ')}) ORDER BY ${key} LIMIT ${most}`,
    );
}

function encodingOf(stored: Buffer | null | number): 'ascii' | 'once' | 'twice' | 'beyond' {
  const text = String(stored ?? '');
  if (!/[^\0-\x7f]/.test(text)) return 'ascii';
  const bytes = latin1Bytes(text);
  if (bytes === undefined) return 'beyond';
  return isUtf8(bytes) ? 'twice' : 'once';
}

export const encodingCheck: Check = {
  kind: 'encoding',
  title: 'texts in UTF-8 that the server takes for latin1 (CafÃ©), or a DATABASE_CHARSET that does not fit',
  serverOnly: true,
  async find(site) {
    const { twice, once, beyond, examples } = await textEncodings(site);
    const isLatin1 = site.facts.env.databaseCharset === 'latin1';
    const isMost = twice >= once;
    const stored = `${counted(twice, 'row')} of UTF-8 that the server takes for latin1`;
    return [
      {
        name: 'encoding-latin1',
        severity: 'error',
        what: `${stored}: PHP writes them over a connection of latin1, and answers show CafÃ© for Café`,
        count: !isLatin1 && isMost ? twice : 0,
        examples,
        why: 'Texts with non-English letters are wrong, searches do not find them, and PHP shows texts of Almanac as damaged.',
        advice:
          'Set DATABASE_CHARSET=latin1, as DB_CHARSET is in wp-config.php. No table has to be changed: ALTER TABLE … CONVERT would make CafÃ© what is stored, for PHP too.',
      },
      {
        name: 'encoding-twice',
        severity: 'warning',
        what: `${stored}, beside ${counted(once, 'row')} that ${once === 1 ? 'is' : 'are'} stored well`,
        count: !isLatin1 && !isMost ? twice : 0,
        examples,
        why: 'Answers show CafÃ© for Café there, and so does PHP if DB_CHARSET in wp-config.php is not latin1.',
        advice:
          'If DB_CHARSET is latin1, set DATABASE_CHARSET=latin1. Else correct these texts in the editor: they were pasted or imported so. No ALTER TABLE mends them.',
      },
      {
        name: 'encoding-unlike',
        severity: 'warning',
        what: `DATABASE_CHARSET is latin1, but ${counted(once, 'row')} of ${(once + twice).toLocaleString('en')} with other letters than English ${once === 1 ? 'was' : 'were'} not written so`,
        count: isLatin1 && !isMost ? once : 0,
        examples: [],
        why: 'If PHP does not use latin1, it shows texts of Almanac as CafÃ©.',
        advice: 'Remove DATABASE_CHARSET, unless DB_CHARSET in wp-config.php is latin1.',
      },
      {
        name: 'encoding-beyond',
        severity: 'warning',
        what: `DATABASE_CHARSET is latin1, but ${counted(beyond, 'row')} ${beyond === 1 ? 'has' : 'have'} characters that latin1 lacks: they are read as question marks`,
        count: isLatin1 ? beyond : 0,
        examples: [],
        why: 'Such a text was written over another connection, and cannot be read over this one; PHP cannot either while DB_CHARSET is latin1.',
        advice: 'See whether DB_CHARSET in wp-config.php is latin1; if not, remove DATABASE_CHARSET.',
      },
    ];
  },
};
