import { globalId } from '../../src/calendar/global-ids.js';
import { attachmentUrl } from '../../src/lib/wordpress-text/image-object.js';
import { serialize } from '../../src/lib/wordpress-text/php-serialize.js';
import { eventLink } from '../../src/resources/events/event-json-ld.js';
import type { SiteSettings } from '../../src/wordpress/options/site-settings.js';
import {
  attachmentLink,
  type LinkedPost,
  type LinkSettings,
  permalink,
  uploadsUrl,
} from '../../src/wordpress/posts/permalink.js';
import { termLink } from '../../src/wordpress/terms/term-record.js';
import { settingsOf, TYPES } from '../support/content-types.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

interface PostInput {
  post_type: string;
  ID: number;
  post_name: string;
  post_status: string;
  post_parent: number;
  _wp_attached_file?: string;
}

interface TermInput {
  taxonomy: string;
  term_id: number;
  slug: string;
  parent: number;
}

interface Row {
  in: string | PostInput | TermInput;
  args: {
    permalink_structure: string;
    home: string;
    siteurl: string;
    tag_base: string;
    tribe_options: { eventsSlug?: string; singleEventSlug?: string };
  };
  out: string;
  tribe_get_event_link?: string;
  wp_get_attachment_url?: string | false;
}

/** The server renders no link of the calendar page or of archives. */
const NOT_RENDERED = ['tribe_get_events_link', 'post_type_archive'];
const rows = loadVectors<Row[]>('permalinks').filter((row) => !NOT_RENDERED.includes(row.in as string));
const posts = new Map<number, PostInput>();
const terms = new Map<number, TermInput>();
for (const { in: input } of rows) {
  if (typeof input === 'string') continue;
  if ('term_id' in input) terms.set(input.term_id, input);
  else posts.set(input.ID, input);
}

function siteOf({ args: { tribe_options, ...options } }: Row): SiteSettings {
  return settingsOf({
    ...options,
    tribe_events_calendar_options: serialize(new Map(Object.entries(tribe_options))),
  });
}

function postOf(input: PostInput): LinkedPost {
  const post = { id: input.ID, type: input.post_type, status: input.post_status, name: input.post_name };
  return { ...post, date: '2026-11-20 00:00:00' };
}

function linkOf(input: PostInput, links: LinkSettings): string {
  // The recorded site published everything on one day and put one post in a category of its own.
  const category = input.ID === 1301 ? 'news' : 'uncategorized';
  return permalink(postOf(input), links, { category });
}

function termLinkOf(term: TermInput, site: SiteSettings): string {
  const path: string[] = [];
  for (let at: TermInput | undefined = term; at; at = terms.get(at.parent)) path.unshift(at.slug);
  return termLink(TYPES.taxonomy(term.taxonomy), path, site);
}

function siteLinkOf(name: string, settings: LinkSettings): string {
  const known: Record<string, string> = {
    'home_url()': settings.home,
    'home_url(/)': `${settings.home}/`,
    'wp_upload_dir baseurl': uploadsUrl(settings),
    'global_id(5)': globalId(settings.home, 5),
  };
  return known[name] ?? 'unknown';
}

function linksOf(row: Row): Partial<Row> {
  const site = siteOf(row);
  const settings = site.links;
  const { in: input } = row;
  if (typeof input === 'string') return { out: siteLinkOf(input, settings) };
  if ('term_id' in input) return { out: termLinkOf(input, site) };
  if (input.post_type === 'attachment') {
    const parent = posts.get(input.post_parent);
    const attachment = { id: input.ID, name: input.post_name };
    return {
      out: attachmentLink(attachment, parent && linkOf(parent, settings), settings),
      wp_get_attachment_url: attachmentUrl(input._wp_attached_file ?? '', uploadsUrl(settings)),
    };
  }
  const out = linkOf(input, settings);
  if (row.tribe_get_event_link === undefined) return { out };
  return { out, tribe_get_event_link: eventLink(postOf(input), settings) };
}

function exceptionOf({ in: input }: Row): string | undefined {
  if (typeof input !== 'string') return undefined;
  // URLs of the REST API depend on REST_BASE_URL, not on the permalink setting.
  if (input.includes('rest_url(')) return 'W23: built on REST_BASE_URL';
  return /^(tribe_get_events_link|post_type_archive)$/.test(input) ? 'no response contains it' : undefined;
}
const exceptions = Object.fromEntries(
  rows.flatMap((row, index) => {
    const reason = exceptionOf(row);
    return reason === undefined ? [] : [[index, reason]];
  }),
);

describe('permalinks', () => {
  proveVectors(
    'permalinks',
    rows,
    ({ in: _input, args: _args, ...expected }, index) => ({ expected, actual: linksOf(rows[index] as Row) }),
    exceptions,
  );

  it('contain the slug of a private record for users who may read it', () => {
    const settings = siteOf(rows[98] as Row).links;
    const post = { id: 5, type: 'tribe_venue', status: 'private', name: 'den' };
    expect(permalink(post, settings)).toBe('http://events.example.test/?post_type=tribe_venue&p=5');
    expect(permalink(post, settings, { readable: true })).toBe('http://events.example.test/venue/den/');
  });

  it("are plain for the plugin's statuses of imports", () => {
    const settings = siteOf(rows[98] as Row).links;
    const link = (status: string) => permalink({ id: 5, type: 'tribe_venue', status, name: 'den' }, settings);
    expect(link('publish')).toBe('http://events.example.test/venue/den/');
    for (const status of ['tribe-ea-success', 'tribe-ignored', 'nobody-knows'])
      expect(link(status)).toBe('http://events.example.test/?post_type=tribe_venue&p=5');
  });
});
