import { type EventJsonLd, type EventJsonLdContext, eventJsonLd } from '../../src/events/event-json-ld.js';
import { type OrganizerJsonLd, organizerJsonLd } from '../../src/organizers/organizer-json-ld.js';
import { type VenueJsonLd, venueJsonLd } from '../../src/venues/venue-json-ld.js';
import { escHtml, specialcharsDecode } from '../../src/wordpress/formatting/esc-html.js';
import { wpUnslash } from '../../src/wordpress/formatting/slashes.js';
import { imageUrl } from '../../src/wordpress/media/image-object.js';
import {
  hasJsonLd,
  jsonLdExcerpt,
  type JsonLdTexts,
  jsonLdTitle,
} from '../../src/wordpress/posts/json-ld-text.js';
import { linkSettings } from '../../src/wordpress/posts/permalink.js';
import { firstMeta, type PostRecord } from '../../src/wordpress/posts/post-record.js';
import { runTextJob } from '../../src/wordpress/rendering/text-functions.js';
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
  post_mime_type: string;
  _wp_attached_file: string;
}

const HOME = 'http://events.example.test';
const rows = loadVectors<Row[]>('json_ld');
const records = new Map(rows.map((row) => [row.in.ID, recordOf(row.in)]));
const attachments = new Map(loadVectors<Fixture[]>('fixture-attachments').map((file) => [file.ID, file]));
const visitor = { loggedIn: false, canRead: false };

/** Records went in through WordPress, which takes a layer of backslashes off. */
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
  const attachment = file && { file: file._wp_attached_file, mimeType: file.post_mime_type };
  return id ? imageUrl(attachment, `${HOME}/wp-content/uploads`) : undefined;
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
  return post && hasJsonLd(post, { ...visitor, unlocked: true })
    ? build(post, textsOf(post), imageOf(post))
    : false;
}

function contextOf(event: PostRecord): EventJsonLdContext {
  return {
    texts: textsOf(event),
    links: linkSettings({ home: HOME, siteUrl: HOME, permalinkStructure: '', locale: 'en_US' }),
    currency: { symbolAfter: false },
    locale: 'en_US',
    siteZone: 'UTC+0',
    zoneMode: 'event',
    readable: false,
    image: imageOf(event),
    location: linked(event, '_EventVenueID', venueJsonLd),
    organizer: linked(event, '_EventOrganizerID', organizerJsonLd),
  };
}

function answer(post: PostRecord): EventJsonLd | Linked | undefined {
  if (!hasJsonLd(post, { ...visitor, unlocked: post.password === '' })) return undefined;
  if (post.type === 'tribe_venue') return venueJsonLd(post, textsOf(post), imageOf(post));
  if (post.type === 'tribe_organizer') return organizerJsonLd(post, textsOf(post), imageOf(post));
  return eventJsonLd(post, contextOf(post));
}

/** The recorded e-mail addresses are encoded at random; here they are written plain (decision R7). */
function plainEmails(out: unknown): unknown {
  return JSON.parse(JSON.stringify(out), (key, value) =>
    key === 'email' ? escHtml(specialcharsDecode(decodeNumeric(String(value)))) : value,
  );
}

function decodeNumeric(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

describe('JSON-LD', () => {
  proveVectors('json_ld', rows, ({ in: input, args, out }) => {
    const actual = answer(records.get(input.ID) as PostRecord);
    // As text, so that the order of the members counts; a refused request has no object at all.
    return {
      expected: args.http_status === 200 ? JSON.stringify(plainEmails(out)) : undefined,
      actual: JSON.stringify(actual),
    };
  });

  const plain = records.get(763) as PostRecord;

  it('shows dates in the zone of the site when the calendar says so', () => {
    const dates = (siteZone: string): string[] => {
      const { startDate, endDate } = eventJsonLd(plain, { ...contextOf(plain), siteZone, zoneMode: 'site' });
      return [startDate, endDate];
    };
    expect(dates('America/New_York')).toEqual(['2026-07-01T04:00:00-04:00', '2026-07-01T06:00:00-04:00']);
    expect(dates('UTC+5.5')).toEqual(['2026-07-01T13:30:00+05:30', '2026-07-01T15:30:00+05:30']);
    expect(dates('UTC-3:30')).toEqual(['2026-07-01 08:00:00', '2026-07-01 10:00:00']);
  });

  it('names private and protected records', () => {
    const named = (post: PostRecord) => eventJsonLd(post, { ...contextOf(post), readable: true }).name;
    expect(named({ ...plain, status: 'private' })).toBe('Private: Paris');
    expect(named({ ...plain, password: 'x' })).toBe('Protected: Paris');
  });

  it('belongs to readers who may read the record', () => {
    const draft = { status: 'draft' };
    expect(hasJsonLd(draft, { loggedIn: false, canRead: false, unlocked: true })).toBe(false);
    expect(hasJsonLd(draft, { loggedIn: true, canRead: true, unlocked: true })).toBe(true);
    expect(hasJsonLd({ status: 'publish' }, { loggedIn: true, canRead: true, unlocked: false })).toBe(false);
  });
});
