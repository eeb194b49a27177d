import { type LinkSettings, linkRoot, prettyLink } from '../posts/permalink.js';

/** The page of an event category; `path` is its slugs from the topmost ancestor down to itself. */
export function categoryLink(path: readonly string[], settings: LinkSettings): string {
  if (settings.permalinkStructure === '') return `${settings.home}/?tribe_events_cat=${path.at(-1) ?? ''}`;
  return prettyLink(settings, [settings.eventsSlug, 'category', ...path].join('/'));
}

/** The page of a tag; the default base stands behind the fixed front of the permalink structure. */
export function tagLink(slug: string, settings: LinkSettings): string {
  const { home, permalinkStructure, tagBase } = settings;
  if (permalinkStructure === '') return `${home}/?tag=${slug}`;
  if (tagBase) return prettyLink(settings, `${tagBase}/${slug}`);
  const front = permalinkStructure.slice(linkRoot(settings).length - home.length).split('%', 1)[0] ?? '/';
  return prettyLink(settings, `${front.slice(1)}tag/${slug}`);
}
