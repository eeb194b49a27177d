import { Injectable } from '@nestjs/common';
import sql, { type Sql } from 'sql-template-tag';
import { Database } from '../../database/database.js';
import { element } from '../../feeds/xml.js';
import type { RequestContext } from '../../http/request-context.js';
import { EVENT } from '../../resources/events/event-type.js';
import { ORGANIZER } from '../../resources/organizers/organizer-type.js';
import { VENUE } from '../../resources/venues/venue-type.js';
import { permalink } from '../../wordpress/posts/permalink.js';
import type { PostRow } from '../../wordpress/posts/post-record.js';
import { postColumns } from '../../wordpress/posts/post-rows.js';
import { PostVisibility } from '../../wordpress/posts/post-visibility.js';

/** Ids that one sitemap covers, of which few are gaps; the protocol allows 50,000 URLs. An offset would read all rows before. */
const IDS_PER_SITEMAP = 5000;

const KINDS = [EVENT, VENUE, ORGANIZER];
const SITEMAP = /^\/sitemap(?:-(event|venue|organizer)-([1-9]\d{0,5}))?\.xml$/;
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="3" y="5" width="26" height="24" rx="5" fill="#3949ab"/><path d="M10 2v6M22 2v6" stroke="#9fabff" stroke-width="3" stroke-linecap="round"/><path d="M8 14h16v10H8z" fill="#fff"/><circle cx="20" cy="20" r="2.5" fill="#3949ab"/></svg>';

/** A file at the root of the server. */
export interface SiteFile {
  type: string;
  text: string;
}

/** Writes what search engines and browsers look for at the root: robots.txt, sitemaps and the icon. */
@Injectable()
export class SiteFiles {
  constructor(
    private readonly database: Database,
    private readonly visibility: PostVisibility,
  ) {}

  /** The file at a path; undefined if there is none. `root` is the public URL of the server. */
  async at(path: string, root: string, context: RequestContext): Promise<SiteFile | undefined> {
    const isIndexed = context.settings.options.get('blog_public') !== '0';
    if (path === '/favicon.svg') return { type: 'image/svg+xml', text: ICON };
    if (path === '/robots.txt') return { type: 'text/plain; charset=utf-8', text: robots(isIndexed, root) };
    const [found, kind, page] = SITEMAP.exec(path) ?? [];
    if (found === undefined || !isIndexed) return undefined;
    const text =
      kind === undefined ? await this.index(root) : await this.sitemap(kind, Number(page), context);
    return text === undefined ? undefined : { type: 'application/xml; charset=utf-8', text };
  }

  private async index(root: string): Promise<string> {
    const block = sql`(p.ID - 1 - (p.ID - 1) % ${IDS_PER_SITEMAP})`;
    const found = await this.database.query<{ type: string; ids_before: number | string }>(
      sql`SELECT DISTINCT p.post_type AS type, ${block} AS ids_before FROM ${this.database.table('posts')} p
          WHERE p.post_type IN (${EVENT.type}, ${VENUE.type}, ${ORGANIZER.type}) AND ${this.listed()}`,
    );
    const files = KINDS.flatMap(({ type, singular }) => {
      const blocks = found.filter((one) => one.type === type).map((one) => Number(one.ids_before));
      return blocks
        .toSorted((a, b) => a - b)
        .map((before) => `${root}/sitemap-${singular}-${before / IDS_PER_SITEMAP + 1}.xml`);
    });
    const entries = files.map((url) => `<sitemap>\n${element('loc', url)}</sitemap>\n`);
    return document('sitemapindex', entries);
  }

  /** Undefined where no listed record has an id of the block. */
  private async sitemap(kind: string, page: number, context: RequestContext): Promise<string | undefined> {
    const type = KINDS.find(({ singular }) => singular === kind)?.type;
    const rows = await this.database.query<PostRow>(
      sql`SELECT ${postColumns(this.database)} FROM ${this.database.table('posts')} p
          WHERE p.post_type = ${type} AND ${this.listed()}
            AND p.ID > ${(page - 1) * IDS_PER_SITEMAP} AND p.ID <= ${page * IDS_PER_SITEMAP}
          ORDER BY p.ID`,
    );
    if (rows.length === 0) return undefined;
    const visible = await this.visibility.of(rows, context);
    const entries = visible.map((row) => {
      const url = element('loc', permalink(row, context.settings.links));
      return `<url>\n${url}${element('lastmod', changedAt(row))}</url>\n`;
    });
    return document('urlset', entries);
  }

  /** Published records without a password, except events that are hidden from lists. */
  private listed(): Sql {
    return sql`p.post_status = 'publish' AND p.post_password = '' AND p.post_name <> ''
      AND NOT EXISTS (SELECT 1 FROM ${this.database.table('postmeta')} m
        WHERE m.post_id = p.ID AND m.meta_key = '_EventHideFromUpcoming')`;
  }
}

function robots(isIndexed: boolean, root: string): string {
  const rules = isIndexed ? 'Disallow: /editor' : 'Disallow: /';
  return `User-agent: *\n${rules}\n${isIndexed ? `\nSitemap: ${root}/sitemap.xml\n` : ''}`;
}

/** Publishing a scheduled record does not change when it was modified. */
function changedAt({ modifiedGmt, dateGmt }: PostRow): string | undefined {
  const last = modifiedGmt > dateGmt ? modifiedGmt : dateGmt;
  return last.startsWith('0000') ? undefined : `${last.replace(' ', 'T')}Z`;
}

const document = (root: string, entries: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${entries.join('')}</${root}>\n`;
