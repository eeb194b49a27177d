import { type Caller, credentials } from './support/calendar-client.js';
import { rawRequest } from './support/raw-request.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const UNUSED_USER_ID = 9_999_999;
/** The author of every record that the tests hide; nobody else of their rank may see it. */
const OWNER = 3;
const STATUSES = ['draft', 'private', 'pending', 'future', 'trash'] as const;
const STRANGERS: readonly Caller[] = ['anonymous', 'subscriber', 'contributor'];
const READERS: readonly Caller[] = ['author', 'editor'];
const WINDOW = 'start_date=2000-01-01&end_date=2099-12-31';

/** A filter by a record: the list with `ID` to be filled in, the record, and what must be found by who may read it. */
const FILTERS: readonly [path: string, record: number, found: readonly number[]][] = [
  ['/venues?event=ID', 53, [34]],
  ['/organizers?event=ID', 53, [52]],
  ['/tags?event=ID', 54, [21]],
  ['/tags?post=ID', 54, [21]],
  ['/categories?event=ID', 53, [10, 13]],
  ['/categories?post=ID', 53, [10, 13]],
  [`/events?${WINDOW}&venue=ID`, 10, [137, 186]],
  [`/events?${WINDOW}&venue=9,ID`, 10, [217, 119, 137, 229, 186, 117]],
  [`/events?${WINDOW}&organizer=ID`, 36, [245, 136, 176, 124, 162]],
  [`/events?${WINDOW}&post_parent=ID`, 54, [242, 212, 142, 229]],
  ['/events?include=ID', 53, [53]],
];

describeEither('hidden records', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  afterAll(async () => fixture?.close());

  /** Everything of an answer that is not the time of day, the id that was asked for taken out. */
  async function bytes(caller: Caller, path: string, id: number) {
    const { status, headers, text } = await rawRequest(fixture.app.url, {
      path: `/cal/events/v1${path.replace('ID', String(id))}`,
      headers: credentials(caller),
    });
    // An ETag follows from the text, and every answer has a number.
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

  /** Runs with a record changed, and puts it back. */
  async function changed<T>(
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

  describe.each(STATUSES)('R13: %s', (post_status) => {
    it.each(FILTERS)('%s tells who may not read %d what an unknown id tells', (path, record, found) =>
      changed(record, { post_status, post_author: OWNER }, async () => {
        for (const caller of STRANGERS)
          expect([caller, await bytes(caller, path, record)]).toEqual([
            caller,
            await bytes(caller, path, UNUSED_USER_ID),
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

  it.each(FILTERS)('R13: %s finds what is protected, as lists do', (path, record, found) =>
    changed(record, { post_password: 'open-sesame' }, async () => {
      for (const caller of [...STRANGERS, ...READERS])
        expect([caller, await idsOf(caller, path.replace('ID', String(record)))]).toEqual([
          caller,
          expect.arrayContaining([...found]),
        ]);
    }),
  );

  it.each(FILTERS.filter(([path]) => !path.includes('include')))(
    'R13: %s takes an id of another type for an unknown one',
    async (path, record) => {
      const other = record === 53 || record === 54 ? 9 : 53;
      expect(await bytes('editor', path, other)).toEqual(await bytes('editor', path, UNUSED_USER_ID));
    },
  );

  describe.each(['venue', 'organizer'] as const)('%s', (word) => {
    const list = `/${word}s?per_page=50`;
    let created = 0;
    const make = async (fields: Record<string, unknown> = {}): Promise<unknown> => {
      const { body } = await fixture.send('admin', 'POST', `/${word}s`, {
        [word]: `Somewhere ${++created}`,
        ...fields,
      });
      return body['id'];
    };

    it.each([...STATUSES, 'publish'])(
      'has_events counts what the reader may know of: %s',
      async (post_status) => {
        const id = await make();
        const event = await fixture.create({ [word]: id });
        await changed(event['id'], { post_status, post_author: OWNER }, async () => {
          const unfinished = post_status === 'draft' || post_status === 'pending';
          for (const caller of [...STRANGERS, ...READERS]) {
            const counts = post_status === 'publish' || (READERS.includes(caller) && !unfinished);
            const has = await idsOf(caller, `${list}&has_events=1`);
            const hasNot = await idsOf(caller, `${list}&has_events=0`);
            expect([caller, has.includes(id), hasNot.includes(id)]).toEqual([caller, counts, !counts]);
          }
        });
        await fixture.send('admin', 'DELETE', `/${word}s/${id}`);
      },
    );

    it('R14: is found by its name only while it is locked', async () => {
      const id = await make({
        [word]: 'Xyzzy place',
        description: 'Plughword here',
        phone: '555-plover',
        ...(word === 'venue' ? { address: 'Plover street' } : { email: 'plover@example.org' }),
      });
      const finds = async (caller: Caller, search: string, more = '') =>
        (await idsOf(caller, `${list}&search=${search}${more}`)).includes(id);
      for (const search of ['xyzzy', 'plughword', 'plover'])
        expect([search, await finds('anonymous', search)]).toEqual([search, true]);
      await changed(id, { post_password: 'Open Sesame', post_author: OWNER }, async () => {
        for (const caller of [...STRANGERS, ...READERS]) {
          expect(await finds(caller, 'xyzzy')).toBe(true);
          for (const search of ['plughword', 'plover'])
            expect([caller, await finds(caller, search)]).toEqual([caller, READERS.includes(caller)]);
        }
        expect(await finds('anonymous', 'plover', '&password=Open+Sesame')).toBe(true);
        for (const wrong of ['', 'open+sesame', 'Open+Sesame+', '%25', 'Open%20S%C3%A9same'])
          expect([wrong, await finds('anonymous', 'plover', `&password=${wrong}`)]).toEqual([wrong, false]);
        expect(await finds('anonymous', 'plover', '&context=edit')).toBe(false);
      });
      await fixture.send('admin', 'DELETE', `/${word}s/${id}`);
    });
  });

  it('R14: a locked event is found by its title only, and not at all by nobody', async () => {
    const { id } = await fixture.create({
      title: 'Xyzzy evening',
      description: 'Plughword',
      excerpt: 'Plover',
    });
    const finds = async (caller: Caller, search: string, more = '') =>
      (await idsOf(caller, `/events?search=${search}${more}`)).includes(id);
    expect([await finds('anonymous', 'plughword'), await finds('anonymous', 'plover')]).toEqual([true, true]);
    await changed(id, { post_password: 'Open Sesame', post_author: OWNER }, async () => {
      for (const search of ['xyzzy', 'plughword', 'plover', 'xyzzy+-plughword'])
        expect([search, await finds('anonymous', search)]).toEqual([search, false]);
      for (const caller of ['subscriber', 'contributor'] as const) {
        const found = await Promise.all(
          ['xyzzy', 'plughword', 'plover', 'xyzzy+plover', 'xyzzy+-plover'].map((search) =>
            finds(caller, search),
          ),
        );
        expect([caller, found]).toEqual([caller, [true, false, false, false, true]]);
        expect(await finds(caller, 'plover', '&password=Open+Sesame')).toBe(true);
      }
      for (const caller of READERS) {
        const found = await Promise.all(
          ['xyzzy', 'plughword', 'plover', 'xyzzy+-plover'].map((search) => finds(caller, search)),
        );
        expect([caller, found]).toEqual([caller, [true, true, true, false]]);
      }
      // Who may edit others' records may edit those whose status nobody knows, too.
      await changed(id, { post_status: 'unheard-of' }, async () =>
        expect([await finds('editor', 'plover'), await finds('contributor', 'xyzzy')]).toEqual([true, false]),
      );
    });
  });
});
