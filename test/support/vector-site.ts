import type { EntityManager } from 'typeorm';
import { readEnvironment } from '../../src/config/env.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { openSite } from '../../src/database/open-site.js';
import { type PhpValue, serialize } from '../../src/lib/wordpress-text/php-serialize.js';
import { writeApplicationPassword, writeOptions, writeUser } from '../../src/setup/new-site.js';
import { Option } from '../../src/wordpress/options/option.entity.js';
import { User, UserMeta } from '../../src/wordpress/users/user.entity.js';
import { startApp } from './app.js';
import { basic, type Reply, request } from './calendar-client.js';
import { census } from './event-rows.js';
import type { Ask } from './invariants.js';
import { type DatabaseName, makeEmpty } from './sites.js';
import { loadVectors } from './vectors.js';

const HOME = 'http://events.example.test';
/** The instant of the vectors. */
const NOW = '2026-11-21T07:13:00Z';

const USERS = {
  admin: ['administrator', 10],
  editor: ['editor', 7],
  author: ['author', 2],
} as const;

/** A user of the vectors' site, by role. */
export type Role = keyof typeof USERS;

/** A server on the site on which the vectors of writes were recorded. */
export interface VectorSite {
  ask: Ask;
  post(role: Role, path: string, body: unknown): Promise<Reply>;
  /** The number of rows of each table. */
  census(): Promise<Record<string, unknown>>;
  /** Removes all posts and terms written since the start. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Posts that the vectors require: linked posts, and posts with taken slugs. */
const POSTS: readonly (readonly [id: number, type: string, title: string, slug: string])[] = [
  [901, 'tribe_events', 'My slug', 'my-slug'],
  [902, 'tribe_events', 'My slug', 'my-slug-2'],
  [903, 'tribe_events', '123', '123'],
  [904, 'tribe_events', '日本語 😀', '%e6%97%a5%e6%9c%ac%e8%aa%9e-%f0%9f%98%80'],
  [1101, 'tribe_venue', 'Main Hall', 'main-hall'],
  [1201, 'tribe_organizer', 'First Organizer', 'first-organizer'],
  [1209, 'tribe_organizer', 'Second Organizer', 'second-organizer'],
];

const TERMS: readonly (readonly [
  id: number,
  taxonomy: string,
  name: string,
  slug: string,
  parent: number,
])[] = [
  [1, 'category', 'Uncategorized', 'uncategorized', 0],
  [2, 'tribe_events_cat', 'Music', 'music', 0],
  [3, 'tribe_events_cat', 'Jazz', 'jazz', 2],
  [4, 'tribe_events_cat', 'Bebop', 'bebop', 3],
  [5, 'tribe_events_cat', '日本', '%e6%97%a5%e6%9c%ac', 0],
  [6, 'post_tag', 'Tag One', 'tag-one', 0],
];

/** The highest id of a post at the start. */
export const LAST_ID = 1501;

const NEW_POST = `> ${LAST_ID}`;
const NEW_TERM = '> 6';
const MADE = [
  ['posts', `ID ${NEW_POST}`],
  ['postmeta', `post_id ${NEW_POST}`],
  ['tec_events', `post_id ${NEW_POST}`],
  ['tec_occurrences', `post_id ${NEW_POST}`],
  ['term_relationships', `object_id ${NEW_POST}`],
  ['terms', `term_id ${NEW_TERM}`],
  ['term_taxonomy', `term_id ${NEW_TERM}`],
] as const;

/** Creates and serves a new site: plain permalinks, no time zone, a classic theme. */
export async function openVectorSite(database: DatabaseName): Promise<VectorSite> {
  const site = await makeEmpty(database);
  const env = { DATABASE_URL: site.url, REST_BASE_URL: `${HOME}/wp-json`, THEME_SUPPORT: 'classic' };
  const passwords = await fill(env);
  const app = await startApp({ databaseUrl: site.url, now: NOW, env });
  const ask: Ask = (sql) => app.dataSource.query(sql);
  return {
    ask,
    post: (role, path, body) => request(app.url, 'POST', path, basic(role, passwords[role]), body),
    census: () => census(ask),
    reset: async () => {
      await Promise.all(MADE.map(([table, rows]) => ask(`DELETE FROM wp_${table} WHERE ${rows}`)));
    },
    close: async () => {
      await app.close();
      await site.drop();
    },
  };
}

/** An image of the media library. */
interface Picture {
  ID: number;
  post_title: string;
  post_excerpt: string;
  post_name: string;
  post_mime_type: string;
  post_parent: number;
  _wp_attached_file: string;
  alt: string;
  metadata: unknown;
}

const PICTURES: readonly Picture[] = [
  ...loadVectors<Picture[]>('fixture-attachments'),
  {
    ID: 1501,
    post_title: 'a',
    post_excerpt: '',
    post_name: 'a',
    post_mime_type: 'image/jpeg',
    post_parent: 0,
    _wp_attached_file: '2026/11/a.jpg',
    alt: '',
    metadata: false,
  },
];

async function writePicture(manager: EntityManager, picture: Picture): Promise<void> {
  const { ID, post_title, post_excerpt, post_name, post_mime_type, post_parent } = picture;
  await writeRow(manager, 'posts', {
    ...TEXTS,
    ...{ ID, post_title, post_excerpt, post_name, post_mime_type, post_parent },
    post_type: 'attachment',
    post_status: 'inherit',
  });
  const meta = {
    _wp_attached_file: picture._wp_attached_file,
    _wp_attachment_metadata: picture.metadata && serialize(toPhp(picture.metadata)),
    _wp_attachment_image_alt: picture.alt,
  };
  for (const [meta_key, meta_value] of Object.entries(meta))
    if (meta_value) await writeRow(manager, 'postmeta', { post_id: ID, meta_key, meta_value });
}

/** Columns that MySQL requires for every post. */
const TEXTS = { post_content: '', post_excerpt: '', to_ping: '', pinged: '', post_content_filtered: '' };

async function writeRow(manager: EntityManager, table: string, row: Record<string, unknown>): Promise<void> {
  const places = Object.keys(row).map(() => '?');
  await manager.query(
    `INSERT INTO wp_${table} (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(row),
  );
}

function toPhp(value: unknown): PhpValue {
  if (value === null || typeof value !== 'object') return value as PhpValue;
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return new Map(entries.map(([key, item]) => [key, toPhp(item)]));
}

async function fill(variables: Record<string, string>): Promise<Record<Role, string>> {
  const env = readEnvironment(variables);
  const source = await openSite({ ...dataSourceOptions(env), entities: [Option, User, UserMeta] }, env);
  const site = {
    home: HOME,
    name: 'Events',
    zone: '',
    currency: { symbol: '$', code: 'USD' },
    tablePrefix: 'wp_',
    now: Date.parse(NOW),
  };
  const passwords = { admin: '', editor: '', author: '' };
  await source.transaction(async (manager) => {
    await writeOptions(manager, site);
    await manager.update(Option, { name: 'permalink_structure' }, { value: '' });
    for (const login of ['admin', 'editor', 'author'] as const) {
      const [role, level] = USERS[login];
      const id = await writeUser(manager, { login, name: login, role, level }, site);
      passwords[login] = await writeApplicationPassword(manager, id, site.now);
    }
    for (const [ID, post_type, post_title, post_name] of POSTS)
      await writeRow(manager, 'posts', { ...TEXTS, ID, post_type, post_title, post_name, post_author: 1 });
    for (const picture of PICTURES) await writePicture(manager, picture);
    for (const [term_id, taxonomy, name, slug, parent] of TERMS) {
      await writeRow(manager, 'terms', { term_id, name, slug });
      await writeRow(manager, 'term_taxonomy', { term_id, taxonomy, description: '', parent });
    }
  });
  await source.destroy();
  return passwords;
}
