import { storedWallSeconds } from '../../src/lib/wordpress-text/dates/strtotime.js';
import { escHtml, wpUnslash } from '../../src/lib/wordpress-text/formatting/esc-html.js';
import { htmlEntityDecode } from '../../src/lib/wordpress-text/formatting/html-entity-decode.js';
import { fileUrl } from '../../src/lib/wordpress-text/image-object.js';
import { hasJsonLd } from '../../src/resources/base/response-context.js';
import {
  type EventJsonLd,
  type EventJsonLdContext,
  eventJsonLd,
} from '../../src/resources/events/event-json-ld.js';
import { type OrganizerJsonLd, organizerJsonLd } from '../../src/resources/organizers/organizer.response.js';
import { type VenueJsonLd, venueJsonLd } from '../../src/resources/venues/venue.response.js';
import {
  firstMeta,
  type JsonLdTexts,
  jsonLdExcerpt,
  jsonLdTitle,
  type PostRecord,
} from '../../src/wordpress/posts/post-record.js';
import { runTextJob } from '../../src/wordpress/rendering/text-functions.js';
import { accessOf, settingsOf } from '../support/content-types.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

type MetaInput = Record<string, string | number | (string | number)[]>;

interface Row {
  in: {
    ID: number;
    type: string;
    post_title: string;
    post_content: string;
    post_excerpt: string;
    post_status: string;
    post_date: string;
    post_password: string;
    post_name: string;
    meta: MetaInput | [];
  };
  args: { http_status: number };
  out: unknown;
}

interface Fixture {
  ID: number;
  _wp_attached_file: string;
}

const HOME = 'http://events.example.test';
const rows = loadVectors<Row[]>('json_ld');
const records = new Map(rows.map((row) => [row.in.ID, recordOf(row.in)]));
const attachments = new Map(loadVectors<Fixture[]>('fixture-attachments').map((file) => [file.ID, file]));
const anonymous = { access: accessOf(null), editing: false };

/** Builds the record that WordPress stored, which has one layer of backslashes less. */
function recordOf(input: Row['in']): PostRecord {
  return {
    id: input.ID,
    author: 1,
    date: input.post_date,
    dateGmt: input.post_date,
    modified: input.post_date,
    modifiedGmt: input.post_date,
    content: wpUnslash(input.post_content),
    title: wpUnslash(input.post_title),
    excerpt: wpUnslash(input.post_excerpt),
    status: input.post_status,
    name: input.post_name,
    type: input.type,
    password: input.post_password,
    parent: 0,
    menuOrder: 0,
    mimeType: '',
    guid: '',
    meta: new Map(Object.entries(input.meta).map(([key, value]) => [key, [value].flat().map(String)])),
  };
}

function imageOf(post: PostRecord): string | false | undefined {
  const id = Number(firstMeta(post, '_thumbnail_id') ?? 0);
  const file = attachments.get(id);
  const attachment = file && { file: file._wp_attached_file, guid: '' };
  return id ? fileUrl(attachment, `${HOME}/wp-content/uploads`) : undefined;
}

function textsOf(post: PostRecord): JsonLdTexts {
  const locale = 'en_US';
  return {
    name: runTextJob({ name: 'jsonLdName', input: { text: jsonLdTitle(post), locale } }),
    description: runTextJob({ name: 'jsonLdDescription', input: { ...jsonLdExcerpt(post), locale } }),
  };
}

type Linked = VenueJsonLd | OrganizerJsonLd;

function linked<T extends Linked>(
  event: PostRecord,
  key: string,
  build: (post: PostRecord, texts: JsonLdTexts, image: string | false | undefined) => T,
): T | false | undefined {
  const id = Number(firstMeta(event, key) ?? 0);
  const post = records.get(id);
  if (id === 0) return undefined;
  return post && hasJsonLd(post, anonymous) ? build(post, textsOf(post), imageOf(post)) : false;
}

function getContext(event: PostRecord): EventJsonLdContext {
  return {
    texts: textsOf(event),
    links: settingsOf({ home: HOME }).links,
    currency: { symbolAfter: false },
    locale: 'en_US',
    siteZone: 'UTC+0',
    zoneMode: 'event',
    wallSeconds: (text) => storedWallSeconds(text, 0),
    readable: false,
    image: imageOf(event),
    location: linked(event, '_EventVenueID', venueJsonLd),
    organizer: linked(event, '_EventOrganizerID', organizerJsonLd),
  };
}

function jsonLdOf(post: PostRecord): EventJsonLd | Linked | undefined {
  if (!hasJsonLd(post, anonymous)) return undefined;
  if (post.type === 'tribe_venue') return venueJsonLd(post, textsOf(post), imageOf(post));
  if (post.type === 'tribe_organizer') return organizerJsonLd(post, textsOf(post), imageOf(post));
  return eventJsonLd(post, getContext(post));
}

/** Decodes the recorded e-mail addresses, which are encoded at random (R7). */
function plainEmails(out: unknown): unknown {
  return JSON.parse(JSON.stringify(out), (key, value) =>
    key === 'email' ? escHtml(htmlEntityDecode(decodeNumeric(String(value)))) : value,
  );
}

function decodeNumeric(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

describe('JSON-LD', () => {
  proveVectors('json_ld', rows, ({ in: input, args, out }) => {
    const actual = jsonLdOf(records.get(input.ID) as PostRecord);
    // Compared as text, so that the order of members counts; a rejected request has no object.
    return {
      expected: args.http_status === 200 ? JSON.stringify(plainEmails(out)) : undefined,
      actual: JSON.stringify(actual),
    };
  });

  const plain = records.get(763) as PostRecord;

  it('converts local times to the zone of the site in zone mode "site", whatever UTC is stored', () => {
    const meta = new Map([...plain.meta, ['_EventStartDateUTC', ['2026-07-09 01:00:00']] as const]);
    const event = { ...plain, meta };
    const dates = (siteZone: string): unknown[] => {
      const { startDate, endDate } = eventJsonLd(event, { ...getContext(event), siteZone, zoneMode: 'site' });
      return [startDate, endDate];
    };
    expect(dates('America/New_York')).toEqual(['2026-07-01T04:00:00-04:00', '2026-07-01T06:00:00-04:00']);
    expect(dates('UTC+5.5')).toEqual(['2026-07-01T13:30:00+05:30', '2026-07-01T15:30:00+05:30']);
    expect(dates('UTC-3:30')).toEqual(['2026-07-01 08:00:00', '2026-07-01 10:00:00']);
    expect(dates('Europe/Paris')).toEqual(['2026-07-01T10:00:00+02:00', '2026-07-01T12:00:00+02:00']);
  });

  const stored = (start: string, meta: Record<string, string> = {}): PostRecord => ({
    ...plain,
    meta: new Map(
      Object.entries({ _EventStartDate: start, _EventTimezone: 'UTC', ...meta }).map(([key, value]) => [
        key,
        [value],
      ]),
    ),
  });
  const startOf = (event: PostRecord, siteZone = 'UTC') =>
    eventJsonLd(event, {
      ...getContext(event),
      siteZone,
      wallSeconds: (text) => storedWallSeconds(text, Date.parse('2091-03-01T10:00:00Z') / 1000),
    }).startDate;

  it.each<[stored: string, expected: string | undefined]>([
    ['2091-5-1 8:00', '2091-05-01T08:00:00+00:00'],
    ['05/06/2091', '2091-05-06T00:00:00+00:00'],
    ['tomorrow', '2091-03-02T00:00:00+00:00'],
    ['3830000000', '2091-05-14T16:53:20+00:00'],
    ['2091-05-01 10:00:00 Europe/Berlin', '2091-05-01T08:00:00+00:00'],
    ['', undefined],
    ['0', undefined],
    ['garbage', undefined],
    ['2091-02-30 25:61:00', undefined],
    ['0000-00-00 00:00:00', undefined],
  ])('contains the start stored as %j as %s', (text, rendered) => {
    expect(startOf(stored(text))).toBe(rendered);
    expect('startDate' in eventJsonLd(stored(text), getContext(plain))).toBe(rendered !== undefined);
  });

  it('moves a start out of a gap in the zone of the site', () => {
    const event = stored('2091-03-11 02:00:00');
    expect(startOf(event)).toBe('2091-03-11T02:00:00+00:00');
    expect(startOf(event, 'America/New_York')).toBe('2091-03-11T03:00:00+00:00');
  });

  it('uses the zone of the site for an event without a zone', () => {
    const event = stored('2091-03-04 20:00:00', { _EventTimezone: '0' });
    expect(startOf(event, 'America/New_York')).toBe('2091-03-04T20:00:00-05:00');
  });

  it.each<[website: string, expected: string]>([
    ['', ''],
    ['x.y', 'http://x.y'],
    ['//x.y', '//x.y'],
    ['javascript:alert(1)', ''],
    [' http://x.y/a b?c[]=<"\'&', 'http://x.y/a%20b?c%5B%5D=&lt;&quot;&#039;&#038;'],
  ])('contains the website %j of an organizer as %j', (website, rendered) => {
    const organizer = { ...plain, meta: new Map([['_OrganizerWebsite', [website]]]) };
    expect(organizerJsonLd(organizer, textsOf(plain), undefined)).toMatchObject({
      url: rendered,
      sameAs: rendered,
    });
  });

  it('treats the region "0" as missing', () => {
    const meta = new Map([
      ['_VenueStateProvince', ['0']],
      ['_VenueProvince', ['Bavaria']],
    ]);
    const { address } = venueJsonLd({ ...plain, meta }, textsOf(plain), undefined);
    expect(address).toEqual({ '@type': 'PostalAddress', addressRegion: 'Bavaria' });
  });

  it('prefixes the names of private and protected records', () => {
    const nameOf = (post: PostRecord) => eventJsonLd(post, { ...getContext(post), readable: true }).name;
    expect(nameOf({ ...plain, status: 'private' })).toBe('Private: Paris');
    expect(nameOf({ ...plain, password: 'x' })).toBe('Protected: Paris');
  });

  it('exists for users who may read the record', () => {
    const member = { access: accessOf({ id: 7, capabilities: new Set(['read']) }), editing: false };
    const draft = { ...plain, status: 'draft' };
    expect(hasJsonLd(draft, anonymous)).toBe(false);
    expect(hasJsonLd(draft, member)).toBe(true);
    expect(hasJsonLd({ ...draft, status: 'private' }, member)).toBe(false);
    expect(hasJsonLd({ ...plain, password: 'x' }, member)).toBe(false);
  });
});
