import { absoluteLinks } from '../../src/feeds/absolute-links.js';
import { atomPieces } from '../../src/feeds/atom.js';
import type { Feed, FeedItem } from '../../src/feeds/feed.js';
import { whenAndWhere } from '../../src/feeds/feed.js';
import { feedPath } from '../../src/feeds/feed-path.js';
import { jsonFeedPieces } from '../../src/feeds/json-feed.js';
import { rssPieces } from '../../src/feeds/rss.js';
import {
  asksForFile,
  mayAskForFeed,
  pluginFeedAddress,
  subscriptionAddress,
} from '../../src/feeds/subscription-address.js';
import { escapeXml } from '../../src/feeds/xml.js';
import { TIMES } from '../support/calendar-times.js';

const ITEM: FeedItem = {
  id: 'https://example.org/?post_type=tribe_events&p=7',
  uid: '7@example.org',
  title: 'Tea & <cake>',
  html: '<p>One ]]> two</p>',
  ...TIMES,
  status: 'publish',
  url: 'https://example.org/event/tea/',
  categories: ['Food'],
  tags: ['x"y'],
  venues: [{ name: 'Hall', city: 'Bonn' }],
  organizers: [{ name: 'Ann', website: 'https://ann.example.org/' }],
};
const FEED: Feed = {
  title: 'Calendar',
  description: '',
  home: 'https://example.org/',
  language: 'de-DE',
  self: 'https://example.org/wp-json/cal/events/v1/events.rss?a=1&b=2',
  items: [ITEM],
};

describe('feeds', () => {
  it('are RSS 2.0', () => {
    expect([...rssPieces({ ...FEED, next: 'https://example.org/n' })].join('')).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:ev="http://purl.org/rss/1.0/modules/event/">
<channel>
<title>Calendar</title>
<link>https://example.org/</link>
<description></description>
<language>de-DE</language>
<atom:link rel="self" href="https://example.org/wp-json/cal/events/v1/events.rss?a=1&amp;b=2" type="application/rss+xml"/>
<atom:link rel="next" href="https://example.org/n" type="application/rss+xml"/>
<lastBuildDate>Sat, 02 Jan 2027 10:00:00 GMT</lastBuildDate>
<generator>Almanac</generator>
<item>
<title>Tea &amp; &lt;cake&gt;</title>
<link>https://example.org/event/tea/</link>
<guid isPermaLink="false">https://example.org/?post_type=tribe_events&amp;p=7</guid>
<pubDate>Fri, 01 Jan 2027 10:00:00 GMT</pubDate>
<description>&lt;p&gt;2027-03-10 19:00 – 21:30 Europe/Berlin, Hall, Bonn&lt;/p&gt;
&lt;p&gt;One ]]&gt; two&lt;/p&gt;</description>
<category>Food</category>
<category>x&quot;y</category>
<ev:startdate>2027-03-10T18:00:00Z</ev:startdate>
<ev:enddate>2027-03-10T20:30:00Z</ev:enddate>
<ev:location>Hall, Bonn</ev:location>
<ev:organizer>Ann</ev:organizer>
</item>
</channel>
</rss>
`,
    );
  });

  it('are Atom, which always says when it changed', () => {
    const atom = (feed: Feed) => [...atomPieces(feed)].join('');
    expect(atom(FEED)).toContain('<updated>2027-01-02T10:00:00Z</updated>');
    expect(atom(FEED)).toContain('<category term="x&quot;y"/>');
    expect(atom({ ...FEED, items: [] })).toContain('<updated>1970-01-01T00:00:00Z</updated>');
    const draft = { ...ITEM, createdUtc: '0000-00-00 00:00:00' };
    expect(atom({ ...FEED, items: [draft] })).toContain('<published>1970-01-01T00:00:00Z</published>');
  });

  it('are JSON Feed 1.1', () => {
    expect(JSON.parse([...jsonFeedPieces({ ...FEED, items: [ITEM, ITEM] })].join(''))).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      feed_url: FEED.self,
      items: [
        {
          id: ITEM.id,
          title: 'Tea & <cake>',
          date_modified: '2027-01-02T10:00:00Z',
          authors: [{ name: 'Ann', url: 'https://ann.example.org/' }],
          tags: ['Food', 'x"y'],
          _event: { start: '2027-03-10T18:00:00Z', timezone: 'Europe/Berlin', all_day: false },
        },
        { id: ITEM.id },
      ],
    });
    expect(JSON.parse([...jsonFeedPieces({ ...FEED, items: [] })].join(''))).toMatchObject({ items: [] });
    const website = 'javascript:alert(1)';
    const hostile = { ...ITEM, website, organizers: [{ name: 'Eve', website }] };
    expect([...jsonFeedPieces({ ...FEED, items: [hostile] })].join('')).not.toContain('javascript');
  });

  it('format dates without a locale', () => {
    const when = (over: Partial<FeedItem>) => whenAndWhere({ ...ITEM, venues: [], ...over });
    expect(when({ end: '2027-03-12 01:00:00' })).toBe('2027-03-10 19:00 – 2027-03-12 01:00 Europe/Berlin');
    expect(when({ end: ITEM.start })).toBe('2027-03-10 19:00 Europe/Berlin');
    expect(when({ allDay: true })).toBe('2027-03-10');
    expect(when({ allDay: true, end: '2027-03-12 23:59:59', isCancelled: true })).toBe(
      '✗ 2027-03-10 – 2027-03-12',
    );
  });

  it('omit characters that XML forbids', () => {
    expect(escapeXml('a\u0000\u000b\ud800b\ufffe\uffff\u007f\t\n\r🫖]]>&#13;')).toBe(
      'ab\u007f\t\n&#13;🫖]]&gt;&amp;#13;',
    );
  });
});

describe('links within descriptions', () => {
  const PAGE = 'https://example.org/blog/event/tea/';

  it.each([
    ['<a href="/a?b=1&amp;c=2#d">', '<a href="https://example.org/a?b=1&amp;c=2#d">'],
    ["<a href='../cake/'>", '<a href="https://example.org/blog/event/cake/">'],
    ['<a class=x HREF=more.html>', '<a class=x HREF="https://example.org/blog/event/tea/more.html">'],
    ['<a href="#menu">', `<a href="${PAGE}#menu">`],
    ['<a href="?x">', `<a href="${PAGE}?x">`],
    ['<img src="//cdn.example.org/a.png" />', '<img src="https://cdn.example.org/a.png" />'],
    [
      '<img srcset="/a.png 1x, b,c.png 2x">',
      `<img srcset="https://example.org/a.png 1x, ${PAGE}b,c.png 2x">`,
    ],
    [
      '<video poster="/p.png" src="/v.mp4">',
      '<video poster="https://example.org/p.png" src="https://example.org/v.mp4">',
    ],
  ])('become absolute: %s', (html, whole) => {
    expect(absoluteLinks(`<p>x ${html} y</p>`, PAGE)).toBe(`<p>x ${whole} y</p>`);
  });

  it.each([
    '<a href="https://example.org/a&b">',
    "<a href='mailto:a@example.org'>",
    '<a href="tel:1">',
    '<a href="">',
    '<a href="http://[">',
    '<a title=\'href="/x"\'>',
    '<img src="data:image/png;base64,AA==">',
    'href="/x"',
    '<a href="/x',
  ])('stay unchanged: %s', (html) => {
    expect(absoluteLinks(html, PAGE)).toBe(html);
    expect(absoluteLinks('<a href="/x">', 'no page')).toBe('<a href="/x">');
  });

  it('take linear time', () => {
    for (const part of ['<a href="', '<a href', '<a "', '<a href= ', ' href="/x"']) {
      const { user } = process.cpuUsage();
      absoluteLinks(part.repeat(20_000), PAGE);
      absoluteLinks(`<a ${part.replaceAll('<', '').repeat(20_000)}>`, PAGE);
      expect(process.cpuUsage().user - user).toBeLessThan(5e6);
    }
  });
});

describe('requests for a calendar file', () => {
  const path = (path: string, accept?: string, method = 'GET') =>
    feedPath(path, { method, headers: accept === undefined ? {} : { accept } });

  it.each([
    'text/calendar',
    'TEXT/Calendar;q=0.9, application/json;q=0.5',
    'text/calendar, text/plain;q=0.8, */*;q=0.5',
  ])('are recognized by Accept: %s', (accept) => {
    expect(['/events', '/events/5', '/events/by-slug/tea'].map((one) => path(one, accept))).toEqual([
      '/events.ics',
      '/events/5.ics',
      '/events/by-slug/tea.ics',
    ]);
    expect(['/venues', '/events/x', '/', '/events/5/x'].map((one) => path(one, accept))).toEqual(
      Array(4).fill(undefined),
    );
    expect(path('/events', accept, 'POST')).toBeUndefined();
  });

  it.each([
    undefined,
    '',
    '*/*',
    'text/*',
    'text/calendar, application/json',
    'text/calendar, */*',
    'text/calendar;q=0',
    'text/calendar;q=x',
    'text/calendar;q=0.5, application/*;q=0.6',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  ])('are not Accept: %s', (accept) => {
    expect(path('/events', accept)).toBeUndefined();
  });

  it.each(['/events.ics', '/events/5.ics', '/events/by-slug/tea.ics', '/events.rss', '/events.atom'])(
    '%s',
    (one) => {
      expect([path(one, undefined, 'HEAD'), path(one, undefined, 'DELETE')]).toEqual([one, undefined]);
    },
  );
});

describe("the plugin's own addresses", () => {
  const links = {
    home: 'https://example.org',
    siteUrl: 'https://example.org',
    permalinkStructure: '/%postname%/',
    bases: new Map<string, string>(),
    publicStatuses: new Set<string>(),
  };
  const site = { links, eventsSlug: 'events', singleEventSlug: 'event' };
  const german = { links, eventsSlug: 'termine', singleEventSlug: 'termine' };
  const below = { ...site, links: { ...links, home: 'https://example.org/blog/de' } };

  it.each([
    ['/', 'ical=1', '/events.ics'],
    ['/events/', 'ical=1', '/events.ics'],
    ['/events', 'ical=1', '/events.ics'],
    ['/index.php/events/', 'ical=1', '/events.ics'],
    ['/events/list/', 'ical=1', '/events.ics'],
    ['/events/liste/page/2/', 'ical=1', '/events.ics'],
    ['/events/month/2027-03/', 'ical=1', '/events.ics?ends_after=2027-02-28&starts_before=2027-03-31'],
    ['/events/2027-03-01/', 'ical=1', '/events.ics?ends_after=2027-02-28&starts_before=2027-03-01'],
    ['/events/month/2027-13/', 'ical=1', '/events.ics'],
    ['/events/category/music/', 'ical=1', '/events.ics?categories=music'],
    [
      '/events/category/arts/music/month/2027-02/',
      'ical=1',
      '/events.ics?categories=music&ends_after=2027-01-31&starts_before=2027-02-28',
    ],
    ['/events/category/', 'ical=1', '/events.ics'],
    ['/events/tag/open%20air/list/', 'ical=1', '/events.ics?tags=open+air'],
    ['/event/tea/', 'ical=1', '/events/by-slug/tea.ics'],
    ['/event/%D0%B0/', 'ical=1', '/events/by-slug/%D0%B0.ics'],
    ['/event/', 'ical=1', undefined],
    ['/', 'post_type=tribe_events&ical=1', '/events.ics'],
    ['/', 'tribe_events=tea&ical=1', '/events/by-slug/tea.ics'],
    ['/', 'post_type=tribe_events&p=7&ical=1', '/events/7.ics'],
    ['/', 'tribe_events_cat=music&ical=1', '/events.ics?categories=music'],
    ['/', 'tribe_events[]=tea&ical=1', '/events.ics'],
    ['/about/', 'ical=1', undefined],
    ['/eventsx/', 'ical=1', undefined],
  ])('%s?%s', (path, query, ours) => {
    expect([asksForFile(query), subscriptionAddress(path, query, site)]).toEqual([true, ours]);
  });

  it.each([
    ['/termine/liste/', '/events/by-slug/liste.ics'],
    ['/termine/list/', '/events.ics'],
    ['/termine/tee/', '/events/by-slug/tee.ics'],
    ['/termine/category/musik/', '/events.ics?categories=musik'],
    ['/termine/', '/events.ics'],
    ['/events/', undefined],
  ])('%s where events and the calendar have the same slug', (path, ours) => {
    expect(subscriptionAddress(path, 'ical=1', german)).toBe(ours);
  });

  it.each([
    ['/blog/de', '/events.ics'],
    ['/blog/de/events/', '/events.ics'],
    ['/events/', '/events.ics'],
    ['/blog/events/', undefined],
  ])('%s where the site is in a folder', (path, ours) => {
    expect(subscriptionAddress(path, 'ical=1', below)).toBe(ours);
  });

  it.each([
    ['/events/feed/', '', '/events.rss'],
    ['/events/feed', '', '/events.rss'],
    ['/index.php/events/feed/rss2/', '', '/events.rss'],
    ['/events/feed/atom/', '', '/events.atom'],
    ['/events/', 'feed=rss2', '/events.rss'],
    ['/events/list/feed/', '', '/events.rss'],
    ['/events/category/music/feed/', '', '/events.rss?categories=music'],
    ['/events/category/arts/music/feed/atom/', '', '/events.atom?categories=music'],
    ['/events/tag/open%20air/feed/', '', '/events.rss?tags=open+air'],
    ['/', 'post_type=tribe_events&feed=rss2', '/events.rss'],
    ['/', 'feed=atom&post_type=tribe_events', '/events.atom'],
    ['/', 'feed=&post_type=tribe_events', '/events.rss'],
    ['/', 'feed=rss2&tribe_events_cat=music', '/events.rss?categories=music'],
    ['/', 'post_type=tribe_events&feed=rss2&tag=tea', '/events.rss?tags=tea'],
    // Of posts, or of comments.
    ['/feed/', '', undefined],
    ['/', 'feed=rss2', undefined],
    ['/', 'feed=rss2&tag=tea', undefined],
    ['/', 'post_type=post&feed=rss2', undefined],
    ['/event/tea/feed/', '', undefined],
    ['/', 'post_type=tribe_events&p=7&feed=rss2', undefined],
    ['/', 'tribe_events=tea&post_type=tribe_events&feed=rss2', undefined],
    ['/events/feed/unknown/', '', undefined],
    ['/events/feed/rss2/more/', '', undefined],
    ['/about/feed/', '', undefined],
  ])('%s?%s is a feed', (path, query, ours) => {
    expect([mayAskForFeed(path, query), pluginFeedAddress(path, query, site)]).toEqual([true, ours]);
  });

  it.each([
    ['/events/', ''],
    ['/events/feeding/', ''],
    ['/events/', 'xfeed=rss2'],
  ])('%s?%s is no feed', (path, query) => {
    expect([mayAskForFeed(path, query), pluginFeedAddress(path, query, site)]).toEqual([false, undefined]);
  });

  it.each(['', 'ical=', 'ical=0', 'ical=10', 'xical=1', 'ical'])('"%s" requests no file', (query) => {
    expect(asksForFile(query)).toBe(false);
  });
});
