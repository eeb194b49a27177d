import { sanitizeTitle } from '../formatting/sanitize-title.js';
import { POST_STATUSES } from './post-statuses.js';

/** What links are made of; `linkSettings` reads it from a site's options. */
export interface LinkSettings {
  /** Option `home` without a trailing slash. */
  home: string;
  /** Option `siteurl` without a trailing slash. */
  siteUrl: string;
  /** Option `permalink_structure`; empty for plain links. */
  permalinkStructure: string;
  /** Option `tag_base` without slashes around it; empty for `tag`. */
  tagBase: string;
  /** First path segment of single events, as a slug. */
  singleEventSlug: string;
  /** First path segment of the calendar and of event categories, as a slug. */
  eventsSlug: string;
  /** First path segment of venues. */
  venueSlug: string;
  /** First path segment of organizers. */
  organizerSlug: string;
}

/** The options behind `LinkSettings`, as stored. */
export interface LinkOptions {
  home: string;
  siteUrl: string;
  permalinkStructure: string;
  tagBase?: string;
  /** Calendar option `singleEventSlug`. */
  singleEventSlug?: string;
  /** Calendar option `eventsSlug`. */
  eventsSlug?: string;
  locale: string;
}

/** The columns of a post that its link needs. */
export interface LinkedPost {
  id: number;
  type: string;
  status: string;
  name: string;
  /** `YYYY-MM-DD HH:MM:SS`; only links of blog posts read it. */
  date?: string;
}

/** What links of blog posts and pages need besides the row. */
export interface LinkExtras {
  /** The reader may read this private post, so its link is the public one. */
  readable?: boolean;
  /** `%category%` of a blog post, ancestors included. */
  category?: string;
  /** `%author%` of a blog post. */
  author?: string;
  /** Slugs of a page's ancestors and of the page, joined with `/`. */
  path?: string;
}

/** Host and path of an address as they stand there: nothing is put in lower case or encoded. */
const HOST_AND_PATH = /^[a-z][\w+.-]*:\/\/(?:[^@/?#]*@)?([^:/?#]*)(?::\d*)?([^?#]*)/i;

/** Makes the link settings of a site, slugs sanitised and defaults filled in. */
export function linkSettings(options: LinkOptions): LinkSettings {
  const { locale } = options;
  return {
    home: trimSlash(options.home),
    siteUrl: trimSlash(options.siteUrl),
    permalinkStructure: options.permalinkStructure,
    tagBase: trimSlashes(options.tagBase ?? ''),
    singleEventSlug: sanitizeTitle(options.singleEventSlug ?? '', { locale, fallback: 'event' }),
    eventsSlug: sanitizeTitle(options.eventsSlug ?? '', { locale, fallback: 'events' }),
    venueSlug: 'venue',
    organizerSlug: 'organizer',
  };
}

/** The public address of an event, venue, organizer, blog post or page; slugs appear as stored. */
export function permalink(post: LinkedPost, settings: LinkSettings, extras: LinkExtras = {}): string {
  const { home } = settings;
  const isPublic =
    POST_STATUSES[post.status]?.public === true || (post.status === 'private' && extras.readable === true);
  const isPretty = isPublic && settings.permalinkStructure !== '';
  if (post.type === 'page') {
    if (!isPretty) return `${home}/?page_id=${post.id}`;
    return prettyLink(settings, extras.path ?? post.name);
  }
  if (post.type === 'post') {
    return isPretty ? home + blogPath(post, settings, extras) : `${home}/?p=${post.id}`;
  }
  if (!isPublic) return `${home}/?post_type=${post.type}&p=${post.id}`;
  if (!isPretty) return `${home}/?${post.type}${post.name && `=${post.name}`}`;
  return prettyLink(settings, `${baseOf(post.type, settings)}/${post.name}`);
}

/** An event's address as machine-readable data has it: always slashed at the end on sites with pretty links. */
export function eventLink(post: LinkedPost, settings: LinkSettings, extras: LinkExtras = {}): string {
  const link = permalink(post, settings, extras);
  if (settings.permalinkStructure === '') return link;
  return link.includes('?') ? `${link}%2F/` : `${trimSlash(link)}/`;
}

/** The page of an attachment, below the link of its parent when that one is public. */
export function attachmentLink(
  attachment: { id: number; name: string },
  parentLink: string | undefined,
  settings: LinkSettings,
): string {
  const { home, permalinkStructure } = settings;
  if (permalinkStructure === '' || parentLink?.includes('?'))
    return `${home}/?attachment_id=${attachment.id}`;
  if (parentLink === undefined) return `${home}/${attachment.name}${endSlash(settings)}`;
  // These slugs could be taken for a page number or for a post of the category.
  const needsWord = /^\d+$/.test(attachment.name) || permalinkStructure.includes('%category%');
  return `${trimSlash(parentLink)}/${needsWord ? 'attachment/' : ''}${attachment.name}${endSlash(settings)}`;
}

/** The identifier that event aggregators use: host and path of the site without scheme and port. */
export function globalId(home: string, id: number): string {
  const [, host = '', path = ''] = HOST_AND_PATH.exec(home) ?? [];
  return `${host}${trimSlash(path)}?id=${id}`;
}

/** The public base of uploaded files; it hangs on `siteurl`, not on `home`. */
export function uploadsUrl(settings: Pick<LinkSettings, 'siteUrl'>): string {
  return `${settings.siteUrl}/wp-content/uploads`;
}

/** `HOME`, or `HOME/index.php` on sites that can not rewrite addresses. */
export function linkRoot({ home, permalinkStructure }: LinkSettings): string {
  return permalinkStructure.startsWith('/index.php/') ? `${home}/index.php` : home;
}

/** A pretty link below the root with the site's kind of ending. */
export function prettyLink(settings: LinkSettings, path: string): string {
  return `${linkRoot(settings)}/${trimSlash(path)}${endSlash(settings)}`;
}

function endSlash({ permalinkStructure }: LinkSettings): string {
  return permalinkStructure.endsWith('/') ? '/' : '';
}

function baseOf(type: string, settings: LinkSettings): string {
  if (type === 'tribe_events') return settings.singleEventSlug;
  if (type === 'tribe_venue') return settings.venueSlug;
  if (type === 'tribe_organizer') return settings.organizerSlug;
  return type;
}

function blogPath(post: LinkedPost, settings: LinkSettings, extras: LinkExtras): string {
  const [year, monthnum, day, hour, minute, second] = (post.date ?? '').split(/[- :]/);
  const tags: Record<string, string | number | undefined> = {
    year,
    monthnum,
    day,
    hour,
    minute,
    second,
    postname: post.name,
    post_id: post.id,
    category: extras.category,
    author: extras.author,
  };
  const path = settings.permalinkStructure.replace(
    /%([a-z_]+)%/g,
    (tag, name: string) => `${tags[name] ?? tag}`,
  );
  return trimSlash(path) + endSlash(settings);
}

function trimSlash(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}

function trimSlashes(text: string): string {
  return trimSlash(text.replace(/^\/+/, ''));
}
