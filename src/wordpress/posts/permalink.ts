import type { PostEntry } from './post-record.js';

export interface LinkSettings {
  /** Option `home` without a trailing slash. */
  home: string;
  /** Option `siteurl` without a trailing slash. */
  siteUrl: string;
  /** Option `permalink_structure`; empty for plain links. */
  permalinkStructure: string;
  /** The first path segment of pretty links by post type. */
  bases: ReadonlyMap<string, string>;
  /** Statuses whose posts have a public URL. */
  publicStatuses: ReadonlySet<string>;
}

/** The columns of a post that its link needs. */
export interface LinkedPost {
  id: number;
  type: string;
  status: string;
  name: string;
  /** `YYYY-MM-DD HH:MM:SS`; only links of blog posts read it. */
  date?: string;
  /** Which entry of the post it is, where it has several. */
  entry?: Pick<PostEntry, 'address'>;
}

/** Additional data for links of blog posts and pages. */
interface LinkExtras {
  /** Whether the user may read this private post: then its link is the public one. */
  readable?: boolean;
  /** `%category%` of a blog post, ancestors included. */
  category?: string;
  author?: string;
  /** Slugs of a page's ancestors and of the page, joined with `/`. */
  path?: string;
}

/** The URL of a post of any type; slugs appear as stored. */
export function permalink(post: LinkedPost, settings: LinkSettings, extras: LinkExtras = {}): string {
  const { home, bases, publicStatuses } = settings;
  const isPublic = publicStatuses.has(post.status) || (post.status === 'private' && extras.readable === true);
  const isPretty = isPublic && settings.permalinkStructure !== '';
  if (post.type === 'page') {
    if (!isPretty) return `${home}/?page_id=${post.id}`;
    return prettyLink(settings, extras.path ?? post.name);
  }
  if (post.type === 'post') {
    return isPretty ? home + blogPath(post, settings, extras) : `${home}/?p=${post.id}`;
  }
  const address = Object.entries(post.entry?.address ?? {});
  const query = address.map(([name, value]) => `&${name}=${value}`).join('');
  if (!isPublic) return `${home}/?post_type=${post.type}&p=${post.id}${query}`;
  if (!isPretty) return `${home}/?${post.type}${post.name && `=${post.name}`}${query}`;
  const path = [bases.get(post.type) ?? post.type, post.name, ...address.map(([, value]) => value)];
  return prettyLink(settings, path.join('/'));
}

/** The URL of an attachment's page, below the link of its parent when that is public. */
export function attachmentLink(
  attachment: { id: number; name: string },
  parentLink: string | undefined,
  settings: LinkSettings,
): string {
  const { home, permalinkStructure } = settings;
  if (permalinkStructure === '' || parentLink?.includes('?'))
    return `${home}/?attachment_id=${attachment.id}`;
  if (parentLink === undefined) return `${home}/${attachment.name}${endSlash(settings)}`;
  // Such slugs could be read as a page number or as a post of the category.
  const needsWord = /^\d+$/.test(attachment.name) || permalinkStructure.includes('%category%');
  return `${trimSlash(parentLink)}/${needsWord ? 'attachment/' : ''}${attachment.name}${endSlash(settings)}`;
}

/** The public base URL of uploaded files, below `siteurl`, not `home`. */
export function uploadsUrl(settings: Pick<LinkSettings, 'siteUrl'>): string {
  return `${settings.siteUrl}/wp-content/uploads`;
}

/** `HOME`, or `HOME/index.php` on sites without URL rewriting. */
function linkRoot({ home, permalinkStructure }: LinkSettings): string {
  return permalinkStructure.startsWith('/index.php/') ? `${home}/index.php` : home;
}

/** The fixed path before the first placeholder of the permalink structure, such as `blog/`, or ''. */
export function linkFront(settings: LinkSettings): string {
  const front = settings.permalinkStructure.slice(linkRoot(settings).length - settings.home.length);
  return front.split('%', 1)[0]?.slice(1) ?? '';
}

/** A pretty link with the site's trailing slash, if any. */
export function prettyLink(settings: LinkSettings, path: string): string {
  return `${linkRoot(settings)}/${trimSlash(path)}${endSlash(settings)}`;
}

function endSlash({ permalinkStructure }: LinkSettings): string {
  return permalinkStructure.endsWith('/') ? '/' : '';
}

const TAG = /%([a-z_]+)%/g;

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
  const path = settings.permalinkStructure.replace(TAG, (tag, name: string) => `${tags[name] ?? tag}`);
  return trimSlash(path) + endSlash(settings);
}

export function trimSlash(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}
