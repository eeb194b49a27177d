import type { Reply } from './support/calendar-client.js';
import { differences } from './support/event-rows.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

/** An event with every field set. */
const WHOLE = {
  title: 'Whole',
  description: 'Long text',
  excerpt: 'Short text',
  status: 'publish',
  date: '2090-01-02 03:04:05',
  timezone: 'Europe/Paris',
  image: '4',
  cost: '$10',
  website: 'https://example.com/a',
  show_map: true,
  show_map_link: true,
  hide_from_listings: true,
  sticky: true,
  featured: true,
  categories: [2],
  tags: [20],
  venue: 9,
  organizer: [35, 36],
};

const START = ['start_date', 'start_date_details'];
const END = ['end_date', 'end_date_details'];
const UTC_START = ['utc_start_date', 'utc_start_date_details'];
const UTC_END = ['utc_end_date', 'utc_end_date_details'];
const COUNTS = ['categories', 'tags'];
const tables = (...columns: string[]) => [
  ...columns.map((column) => `event.${column}`),
  ...columns.filter((column) => column !== 'timezone').map((column) => `occurrence.${column}`),
  'occurrence.hash',
];

/** Changes in the response and in the rows that each field causes when sent alone, besides the modification time. */
const ALONE: [fields: Record<string, unknown>, response: string[], rows: string[]][] = [
  [{}, [], []],
  [{ title: 'Other' }, ['title'], ['post.post_title']],
  [{ description: 'Other' }, ['description'], ['post.post_content']],
  [{ excerpt: 'Other' }, ['excerpt'], ['post.post_excerpt']],
  [{ slug: 'other' }, ['slug', 'url'], ['post.post_name', 'meta._wp_old_slug']],
  [{ author: 2 }, ['author'], ['post.post_author']],
  [{ status: 'private' }, ['status', ...COUNTS], ['post.post_status']],
  [{ status: 'draft' }, ['status', 'url', 'date_utc', ...COUNTS], ['post.post_status', 'post.post_date_gmt']],
  [
    { date: '2089-01-01 00:00:00' },
    ['date', 'date_utc'],
    ['post.post_date', 'post.post_date_gmt', 'meta._wp_old_date'],
  ],
  [
    { timezone: 'Asia/Tokyo' },
    ['timezone', 'timezone_abbr', ...UTC_START, ...UTC_END],
    [
      'meta._EventTimezone',
      'meta._EventTimezoneAbbr',
      'meta._EventStartDateUTC',
      'meta._EventEndDateUTC',
      ...tables('timezone', 'start_date_utc', 'end_date_utc'),
    ],
  ],
  [
    { start_date: '2091-05-01 09:00:00' },
    [...START, ...UTC_START],
    [
      'meta._EventStartDate',
      'meta._EventStartDateUTC',
      'meta._EventDuration',
      ...tables('start_date', 'start_date_utc', 'duration'),
    ],
  ],
  [
    { end_date: '2091-05-01 14:00:00' },
    [...END, ...UTC_END],
    [
      'meta._EventEndDate',
      'meta._EventEndDateUTC',
      'meta._EventDuration',
      ...tables('end_date', 'end_date_utc', 'duration'),
    ],
  ],
  [
    { all_day: true },
    ['all_day', ...START, ...UTC_START, ...END, ...UTC_END],
    [
      'meta._EventAllDay',
      'meta._EventStartDate',
      'meta._EventStartDateUTC',
      'meta._EventEndDate',
      'meta._EventEndDateUTC',
      'meta._EventDuration',
      ...tables('start_date', 'start_date_utc', 'end_date', 'end_date_utc', 'duration'),
    ],
  ],
  [{ image: '5' }, ['image'], ['meta._thumbnail_id']],
  [{ cost: '$12' }, ['cost', 'cost_details'], ['meta._EventCost']],
  [{ website: 'https://example.com/b' }, ['website'], ['meta._EventURL']],
  [{ show_map: false }, ['show_map'], ['meta._EventShowMap']],
  [{ show_map_link: false }, ['show_map_link'], ['meta._EventShowMapLink']],
  [{ hide_from_listings: false }, ['hide_from_listings'], ['meta._EventHideFromUpcoming']],
  [{ sticky: false }, ['sticky'], ['post.menu_order']],
  [{ featured: false }, ['featured'], ['meta._tribe_featured']],
  [{ categories: [3] }, ['categories'], ['terms']],
  [{ tags: [21] }, ['tags'], ['terms']],
  [{ venue: 10 }, ['venue'], ['meta._EventVenueID']],
  [{ organizer: [37] }, ['organizer'], ['meta._EventOrganizerID']],
];

/** The modification time, which every update changes. */
const MODIFIED = ['modified', 'modified_utc'];

describeEither('partial updates of events', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  afterAll(() => fixture?.close());

  it.each(ALONE)('W1: an update with %j changes nothing else', async (fields, response, changedRows) => {
    const { create, update, rows, ask } = fixture;
    const longAgo = { modified: '2090-01-01 00:00:00', modified_utc: '2090-01-01 05:00:00' };
    const before: Reply['body'] = { ...(await create(WHOLE)), ...longAgo };
    await ask(`UPDATE wp_posts SET post_modified = '${longAgo.modified}',
               post_modified_gmt = '${longAgo.modified_utc}' WHERE ID = ${before['id']}`);
    const rowsBefore = await rows(before['id']);
    const after = await update(before['id'], fields);
    expect(differences(before, after)).toEqual([...response, ...Object.keys(longAgo)].sort());
    expect(differences(rowsBefore, await rows(before['id']))).toEqual(
      [...changedRows, 'post.post_modified', 'post.post_modified_gmt'].sort(),
    );
  });

  it.each(['POST', 'PUT', 'PATCH'])('W1: %s is a partial update', async (method) => {
    const { create, send } = fixture;
    const { id, modified, modified_utc, ...before } = await create(WHOLE);
    const { status, body } = await send('admin', method, `/events/${id}`, { title: 'By another verb' });
    expect(status).toBe(200);
    expect({ ...body, modified, modified_utc }).toEqual({
      ...before,
      id,
      modified,
      modified_utc,
      title: 'By another verb',
    });
  });

  it('W1: null leaves a field unchanged where its type accepts null', async () => {
    const { create, update } = fixture;
    const before = await create(WHOLE);
    const nullFields = {
      cost: null,
      website: null,
      categories: null,
      tags: null,
      venue: null,
      organizer: null,
    };
    const after = await update(before['id'], nullFields);
    expect(differences(before, after).filter((name) => !MODIFIED.includes(name))).toEqual([]);
  });

  it.each([
    ['a scheduled event', 'editor', { status: 'future', date: '2095-01-01 00:00:00' }, 'future'],
    ['a pending event of a contributor', 'contributor', { status: 'pending' }, 'pending'],
    ['a private event', 'editor', { status: 'private' }, 'private'],
  ] as const)('W1: an update of %s keeps its status and dates', async (_, caller, fields, status) => {
    const { create, update } = fixture;
    const before = await create(fields, caller);
    expect(before['status']).toBe(status);
    const after = await update(before['id'], { title: 'Another' }, caller);
    expect(differences(before, after).filter((name) => !MODIFIED.includes(name))).toEqual(['title']);
  });

  it('W8: an event pending review by a contributor has no slug until it is published', async () => {
    const { create, update } = fixture;
    const { id } = await create({ title: 'Sent in', status: 'draft', slug: 'chosen' }, 'contributor');
    expect(await update(id, { status: 'publish' }, 'contributor')).toMatchObject({
      status: 'pending',
      slug: '',
    });
    expect(await update(id, { slug: 'chosen' }, 'contributor')).toMatchObject({ slug: '' });
    expect(await update(id, { slug: 'by-editor' }, 'editor')).toMatchObject({ slug: 'by-editor' });
    expect(await update(id, { title: 'Again' }, 'contributor')).toMatchObject({ slug: 'by-editor' });
  });

  it('W1: publishing a draft sets the current date, and a future date schedules it', async () => {
    const { create, update } = fixture;
    const draft = await create({ status: 'draft' });
    expect(draft).toMatchObject({ status: 'draft', date_utc: '0000-00-00 00:00:00', slug: '' });
    const published = await update(draft['id'], { status: 'publish' });
    expect(published).toMatchObject({
      status: 'publish',
      date_utc: expect.stringMatching(/^2091-03-01 10:/),
    });
    expect(published['slug']).not.toBe('');
    const scheduled = await update(draft['id'], { date: '2095-01-01 00:00:00' });
    expect(scheduled).toMatchObject({ status: 'future', date_utc: '2095-01-01 05:00:00' });
  });
});
