import { escHtml } from '../lib/wordpress-text/formatting/esc-html.js';
import { type Feed, type FeedItem, isoDate, lastChange, whenAndWhere } from './feed.js';
import { element, emptyElement, openTag } from './xml.js';

/** Writes a feed as Atom (RFC 4287) in chunks. */
export function* atomPieces(feed: Feed): Generator<string> {
  const type = 'application/atom+xml';
  const root = { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': feed.language };
  yield `<?xml version="1.0" encoding="UTF-8"?>\n${openTag('feed', root)}\n`;
  yield element('id', feed.self);
  yield element('title', feed.title);
  if (feed.description) yield element('subtitle', feed.description);
  yield element('updated', isoDate(lastChange(feed)));
  yield emptyElement('link', { rel: 'self', href: feed.self, type });
  yield emptyElement('link', { rel: 'next', href: feed.next, type });
  yield emptyElement('link', { rel: 'alternate', href: feed.home, type: 'text/html' });
  yield person(feed.title);
  yield element('generator', 'Almanac');
  for (const item of feed.items) yield entryOf(item);
  yield '</feed>\n';
}

function entryOf(item: FeedItem): string {
  return [
    '<entry>\n',
    element('id', item.id),
    element('title', item.title),
    element('published', isoDate(item.createdUtc)),
    element('updated', isoDate(item.modifiedUtc)),
    emptyElement('link', { rel: 'alternate', href: item.url, type: 'text/html' }),
    ...item.organizers.map(({ name }) => person(name)),
    ...[...item.categories, ...item.tags].map((term) => emptyElement('category', { term })),
    element('summary', whenAndWhere(item)),
    element('content', `<p>${escHtml(whenAndWhere(item))}</p>\n${item.html}`, { type: 'html' }),
    '</entry>\n',
  ].join('');
}

function person(name: string): string {
  return name ? `<author>\n${element('name', name)}</author>\n` : '';
}
