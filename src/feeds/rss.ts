import { wholeDays } from '../lib/ical/whole-days.js';
import { escHtml } from '../lib/wordpress-text/formatting/esc-html.js';
import { type Feed, type FeedItem, isoDate, lastChange, placeText, whenAndWhere } from './feed.js';
import { element, emptyElement, openTag } from './xml.js';

const NAMESPACES = {
  version: '2.0',
  'xmlns:atom': 'http://www.w3.org/2005/Atom',
  'xmlns:ev': 'http://purl.org/rss/1.0/modules/event/',
};

/** Writes a feed as RSS 2.0 in chunks; elements of the Event module hold date and place. */
export function* rssPieces(feed: Feed): Generator<string> {
  const link = (rel: string, href: string | undefined) =>
    emptyElement('atom:link', { rel, href, type: 'application/rss+xml' });
  yield `<?xml version="1.0" encoding="UTF-8"?>\n${openTag('rss', NAMESPACES)}\n<channel>\n`;
  yield element('title', feed.title);
  yield element('link', feed.home);
  yield element('description', feed.description);
  yield element('language', feed.language);
  yield link('self', feed.self) + link('next', feed.next);
  if (feed.items.length > 0) yield element('lastBuildDate', mailDate(lastChange(feed)));
  yield element('generator', 'Almanac');
  for (const item of feed.items) yield itemOf(item);
  yield '</channel>\n</rss>\n';
}

function itemOf(item: FeedItem): string {
  const { organizers, categories, tags } = item;
  const place = placeText(item);
  return [
    '<item>\n',
    element('title', item.title),
    element('link', item.url),
    element('guid', item.id, { isPermaLink: 'false' }),
    element('pubDate', mailDate(item.createdUtc)),
    element('description', `<p>${escHtml(whenAndWhere(item))}</p>\n${item.html}`),
    ...[...categories, ...tags].map((name) => element('category', name)),
    element('ev:startdate', item.allDay ? item.start.slice(0, 10) : isoDate(item.utcStart)),
    element('ev:enddate', item.allDay ? wholeDays(item.start, item.end).last : isoDate(item.utcEnd)),
    element('ev:location', place || undefined),
    element('ev:organizer', organizers[0]?.name || undefined),
    '</item>\n',
  ].join('');
}

/** Formats a UTC date by RFC 822. */
function mailDate(utc: string): string {
  return new Date(isoDate(utc)).toUTCString();
}
