import { wholeDays } from '../lib/ical/whole-days.js';
import { escHtml } from '../lib/wordpress-text/formatting/esc-html.js';
import { webAddress } from '../lib/wordpress-text/formatting/web-address.js';
import { type Feed, type FeedItem, isoDate, whenAndWhere } from './feed.js';

/** Writes a feed as JSON Feed 1.1 in chunks; the extension `_event` holds date and place. */
export function* jsonFeedPieces(feed: Feed): Generator<string> {
  const head = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.home,
    feed_url: feed.self,
    next_url: feed.next,
    description: feed.description || undefined,
    language: feed.language,
  };
  yield `${JSON.stringify(head).slice(0, -1)},"items":[`;
  for (const [at, item] of feed.items.entries()) yield (at === 0 ? '' : ',') + JSON.stringify(itemOf(item));
  yield ']}';
}

function itemOf(item: FeedItem) {
  const { venues, organizers, categories, tags, start, end, allDay } = item;
  return {
    id: item.id,
    url: item.url,
    external_url: webAddress(item.website),
    title: item.title,
    content_html: `<p>${escHtml(whenAndWhere(item))}</p>\n${item.html}`,
    summary: whenAndWhere(item),
    image: item.image,
    date_published: isoDate(item.createdUtc),
    date_modified: isoDate(item.modifiedUtc),
    authors:
      organizers.length > 0
        ? organizers.map(({ name, website }) => ({ name, url: webAddress(website) }))
        : undefined,
    tags: [...categories, ...tags],
    _event: {
      about: 'https://schema.org/Event',
      all_day: allDay,
      start: allDay ? start.slice(0, 10) : isoDate(item.utcStart),
      end: allDay ? wholeDays(start, end).last : isoDate(item.utcEnd),
      timezone: item.zone,
      cancelled: item.isCancelled === true,
      venues,
    },
  };
}
