import { type Caller, credentials } from './support/calendar-client.js';
import { rawRequest } from './support/raw-request.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const UNKNOWN_ID = 9_999_999;
/** The author of every hidden record, whose role may not see those of others. */
const OWNER_ID = 3;
const STATUSES = ['draft', 'private', 'pending', 'future', 'trash'] as const;
const STRANGERS: readonly Caller[] = ['anonymous', 'subscriber', 'contributor'];
const READERS: readonly Caller[] = ['author', 'editor'];
const ALL_DATES = 'start_date=2000-01-01&end_date=2099-12-31';

/** A filter by record id: the list with `ID` as placeholder, the record, and ids that readers must find. */
const FILTERS: readonly [path: string, record: number, found: readonly number[]][] = [
  ['/venues?event=ID', 53, [34]],
  ['/organizers?event=ID', 53, [52]],
  ['/tags?event=ID', 54, [21]],
  ['/tags?post=ID', 54, [21]],
  ['/categories?event=ID', 53, [10, 13]],
  ['/categories?post=ID', 53, [10, 13]],
  [`/events?${ALL_DATES}&venue=ID`, 10, [137, 186]],
  [`/events?${ALL_DATES}&venue=9,ID`, 10, [217, 119, 137, 229, 186, 117]],
  [`/events?${ALL_DATES}&organizer=ID`, 36, [245, 136, 176, 124, 162]],
  [`/events?${ALL_DATES}&post_parent=ID`, 54, [242, 212, 142, 229]],
  ['/events?include=ID', 53, [53]],
];

describeEither('hidden records', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  afterAll(async () => fixture?.close());

  /** A response without date, ETag and request id, with the requested id replaced. */
  async function comparableResponse(caller: Caller, path: string, id: number) {
    const { status, headers, text } = await rawRequest(fixture.app.url, {
      path: `/cal/events/v1${path.replace('ID', String(id))}`,
      headers: credentials(caller),
    });
    // The ETag depends on the text, and every response has its own request id.
    const { date: _date, etag: _etag, 'x-request-id': _number, ...others } = headers;
    return {
      status,
      headers: { ...others, 'content-length': undefined },
      text: text.replaceAll(String(id), 'ID'),
    };
  }

  async function idsOf(caller: Caller, path: string): Promise<unknown[]> {
    const { status, body } = await fixture.send(caller, 'GET', path);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    const list = Object.values(body).find((value) => Array.isArray(value)) as { id: unknown }[];
    return list.map(({ id }) => id);
  }

  /** Runs `run` while columns of a post are changed, then restores them. */
  async function whileChanged<T>(
    id: unknown,
    fields: Record<string, string | number>,
    run: () => Promise<T>,
  ): Promise<T> {
    const [before = {}] = await fixture.ask(`SELECT * FROM wp_posts WHERE ID = ${id}`);
    const set = (values: Record<string, unknown>) =>
      Object.keys(fields)
        .map((name) => `${name} = '${values[name]}'`)
        .join(', ');
    await fixture.ask(`UPDATE wp_posts SET ${set(fields)} WHERE ID = ${id}`);
    try {
      return await run();
    } finally {
      await fixture.ask(`UPDATE wp_posts SET ${set(before)} WHERE ID = ${id}`);
    }
  }

  describe.each(STATUSES)('with status %s', (post_status) => {
    it.each(FILTERS)(
      'R13: %s returns callers who may not read %d the same as an unknown id',
      (path, record, found) =>
        whileChanged(record, { post_status, post_author: OWNER_ID }, async () => {
          for (const caller of STRANGERS)
            expect([caller, await comparableResponse(caller, path, record)]).toEqual([
              caller,
              await comparableResponse(caller, path, UNKNOWN_ID),
            ]);
          if (path.includes('include')) return;
          for (const caller of READERS)
            expect([caller, await idsOf(caller, path.replace('ID', String(record)))]).toEqual([
              caller,
              expect.arrayContaining([...found]),
            ]);
        }),
    );
  });

  it.each(FILTERS)('R13: %s finds password-protected records, as lists do', (path, record, found) =>
    whileChanged(record, { post_password: 'open-sesame' }, async () => {
      for (const caller of [...STRANGERS, ...READERS])
        expect([caller, await idsOf(caller, path.replace('ID', String(record)))]).toEqual([
          caller,
          expect.arrayContaining([...found]),
        ]);
    }),
  );

  it.each(FILTERS.filter(([path]) => !path.includes('include')))(
    'R13: %s treats an id of another type as unknown',
    async (path, record) => {
      const other = record === 53 || record === 54 ? 9 : 53;
      expect(await comparableResponse('editor', path, other)).toEqual(
        await comparableResponse('editor', path, UNKNOWN_ID),
      );
    },
  );

  describe.each(['venue', 'organizer'] as const)('%s', (singular) => {
    const list = `/${singular}s?per_page=50`;
    let created = 0;
    const createRecord = async (fields: Record<string, unknown> = {}): Promise<unknown> => {
      const { body } = await fixture.send('admin', 'POST', `/${singular}s`, {
        [singular]: `Somewhere ${++created}`,
        ...fields,
      });
      return body['id'];
    };

    it.each([...STATUSES, 'publish'])(
      'has_events counts events that the caller may read: %s',
      async (post_status) => {
        const id = await createRecord();
        const event = await fixture.create({ [singular]: id });
        await whileChanged(event['id'], { post_status, post_author: OWNER_ID }, async () => {
          const isUnfinished = post_status === 'draft' || post_status === 'pending';
          for (const caller of [...STRANGERS, ...READERS]) {
            const isCounted = post_status === 'publish' || (READERS.includes(caller) && !isUnfinished);
            const withEvents = await idsOf(caller, `${list}&has_events=1`);
            const withoutEvents = await idsOf(caller, `${list}&has_events=0`);
            expect([caller, withEvents.includes(id), withoutEvents.includes(id)]).toEqual([
              caller,
              isCounted,
              !isCounted,
            ]);
          }
        });
        await fixture.send('admin', 'DELETE', `/${singular}s/${id}`);
      },
    );

    it('R14: is found by its name alone while password-protected', async () => {
      const id = await createRecord({
        [singular]: 'Xyzzy place',
        description: 'Plughword here',
        phone: '555-plover',
        ...(singular === 'venue' ? { address: 'Plover street' } : { email: 'plover@example.org' }),
      });
      const isFound = async (caller: Caller, search: string, more = '') =>
        (await idsOf(caller, `${list}&search=${search}${more}`)).includes(id);
      for (const search of ['xyzzy', 'plughword', 'plover'])
        expect([search, await isFound('anonymous', search)]).toEqual([search, true]);
      await whileChanged(id, { post_password: 'Open Sesame', post_author: OWNER_ID }, async () => {
        for (const caller of [...STRANGERS, ...READERS]) {
          expect(await isFound(caller, 'xyzzy')).toBe(true);
          for (const search of ['plughword', 'plover'])
            expect([caller, await isFound(caller, search)]).toEqual([caller, READERS.includes(caller)]);
        }
        expect(await isFound('anonymous', 'plover', '&password=Open+Sesame')).toBe(true);
        for (const wrong of ['', 'open+sesame', 'Open+Sesame+', '%25', 'Open%20S%C3%A9same'])
          expect([wrong, await isFound('anonymous', 'plover', `&password=${wrong}`)]).toEqual([wrong, false]);
        expect(await isFound('anonymous', 'plover', '&context=edit')).toBe(false);
      });
      await fixture.send('admin', 'DELETE', `/${singular}s/${id}`);
    });
  });

  it('R14: a password-protected event is found by its title alone, and never by anonymous callers', async () => {
    const { id } = await fixture.create({
      title: 'Xyzzy evening',
      description: 'Plughword',
      excerpt: 'Plover',
    });
    const isFound = async (caller: Caller, search: string, more = '') =>
      (await idsOf(caller, `/events?search=${search}${more}`)).includes(id);
    expect([await isFound('anonymous', 'plughword'), await isFound('anonymous', 'plover')]).toEqual([
      true,
      true,
    ]);
    await whileChanged(id, { post_password: 'Open Sesame', post_author: OWNER_ID }, async () => {
      for (const search of ['xyzzy', 'plughword', 'plover', 'xyzzy+-plughword'])
        expect([search, await isFound('anonymous', search)]).toEqual([search, false]);
      for (const caller of ['subscriber', 'contributor'] as const) {
        const found = await Promise.all(
          ['xyzzy', 'plughword', 'plover', 'xyzzy+plover', 'xyzzy+-plover'].map((search) =>
            isFound(caller, search),
          ),
        );
        expect([caller, found]).toEqual([caller, [true, false, false, false, true]]);
        expect(await isFound(caller, 'plover', '&password=Open+Sesame')).toBe(true);
      }
      for (const caller of READERS) {
        const found = await Promise.all(
          ['xyzzy', 'plughword', 'plover', 'xyzzy+-plover'].map((search) => isFound(caller, search)),
        );
        expect([caller, found]).toEqual([caller, [true, true, true, false]]);
      }
      // Editors may edit others' records with an unregistered status too.
      await whileChanged(id, { post_status: 'unheard-of' }, async () =>
        expect([await isFound('editor', 'plover'), await isFound('contributor', 'xyzzy')]).toEqual([
          true,
          false,
        ]),
      );
    });
  });
});
