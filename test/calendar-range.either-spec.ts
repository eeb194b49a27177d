import { asMap, toPlain, unserialize } from '../src/lib/wordpress-text/php-serialize.js';
import { describeMariadbFirst } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const NAMES = ['earliest_date', 'earliest_date_markers', 'latest_date', 'latest_date_markers'] as const;
const OPTION = "option_name = 'tribe_events_calendar_options'";

/** Outside the recorded range, and few, so that several events share a date. */
const FIRST = ['1980-01-01', '1980-01-02', '1980-01-03'];
const LAST = ['2199-01-01', '2199-01-02', '2199-01-03'];

describeMariadbFirst('the stored date range of the calendar', (database) => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  afterAll(() => fixture?.close());

  const options = async () => {
    const [row] = await fixture.ask(`SELECT option_value AS value FROM wp_options WHERE ${OPTION}`);
    return asMap(unserialize(String(row?.['value'] ?? '')));
  };
  const stored = async () => {
    const map = await options();
    return NAMES.map((name) => toPlain(map.get(name) ?? null));
  };
  /** The range computed from all events. */
  const computed = async () => {
    const findEdge = async (column: string, direction: string) => {
      const [row] = await fixture.ask(
        `SELECT o.${column} AS date, o.post_id AS id FROM wp_tec_occurrences o JOIN wp_posts p ON p.ID = o.post_id
         WHERE p.post_status IN ('publish', 'private') ORDER BY 1 ${direction}, 2 LIMIT 1`,
      );
      return [row?.['date'] ?? null, row ? [row['id']] : null];
    };
    return [...(await findEdge('start_date_utc', 'ASC')), ...(await findEdge('end_date_utc', 'DESC'))];
  };
  const check = async (label: string) => expect([label, await stored()]).toEqual([label, await computed()]);
  const damage = async (name: string, text: string, other: string) => {
    await fixture.ask(
      `UPDATE wp_options SET option_value = REPLACE(option_value, '${text}', '${other}') WHERE ${OPTION}`,
    );
    expect([name, JSON.stringify(await stored())]).not.toEqual([name, JSON.stringify(await computed())]);
  };

  describe('follows every write and prefers the lowest id among equal dates', () => {
    const ids: number[] = [];
    let seed = 7;
    const random = (limit: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % limit;
    };
    const pick = <T>(from: readonly T[]) => from[random(from.length)] as T;
    const dates = () =>
      pick([
        { start_date: pick(FIRST), end_date: '2091-01-01' },
        { start_date: '2091-01-01', end_date: pick(LAST) },
        { start_date: pick(FIRST), end_date: pick(LAST) },
        { start_date: '2091-01-01', end_date: '2091-01-02' },
      ]);
    const status = () => pick(['publish', 'publish', 'private', 'draft', 'pending']);
    const write = async (step: number) => {
      const id = pick(ids);
      const move = id === undefined ? 0 : random(5);
      if (move === 0) ids.push(Number((await fixture.create({ ...dates(), status: status() }))['id']));
      else if (move === 1) await fixture.update(id, dates());
      else if (move === 2) await fixture.update(id, { status: status() });
      else if (move === 3) await fixture.update(id, { ...dates(), status: status(), title: `Step ${step}` });
      else {
        expect((await fixture.send('admin', 'DELETE', `/events/${id}`)).status).toBe(200);
        ids.splice(ids.indexOf(id), 1);
      }
      await check(`step ${step}, move ${move} of ${id}`);
    };

    it('matches the recorded range', () => check('recorded'));

    it.each([0, 30, 60, 90])('matches after each of thirty random writes from step %d on', async (first) => {
      for (let step = first; step < first + 30; step++) await write(step);
    });
  });

  it.each([
    ['a missing first date', 's:13:"earliest_date"', 's:13:"earliest_dato"'],
    ['a missing event of the last date', 's:19:"latest_date_markers"', 's:19:"latest_dato_markers"'],
    ['a first date without an event', 's:13:"earliest_date";s:19:"19', 's:13:"earliest_date";s:19:"18'],
    ['a last date without an event', 's:11:"latest_date";s:19:"21', 's:11:"latest_date";s:19:"91'],
  ])('is repaired by the next write: %s', async (name, text, other) => {
    await fixture.create({ start_date: FIRST[0], end_date: LAST[2] });
    await damage(name, text, other);
    await fixture.create();
    await check(name);
  });

  it('is empty without events and set again by the next one', async () => {
    await fixture.ask("UPDATE wp_posts SET post_status = 'draft' WHERE post_type = 'tribe_events'");
    const event = await fixture.create({ status: 'private' });
    await check('one');
    await fixture.update(event['id'], { status: 'draft' });
    expect(await stored()).toEqual([null, null, null, null]);
    await fixture.create({ status: 'future', date: '2098-01-01 00:00:00' });
    expect(await stored()).toEqual([null, null, null, null]);
    await fixture.create();
    expect(await stored()).not.toContain(null);
    await check('again');
  });
});
