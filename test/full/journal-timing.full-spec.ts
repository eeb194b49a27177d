import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { JournalWriter } from '../../src/changes/journal-writer.service.js';
import { type JournalFixture, openJournalFixture } from '../support/journal-site.js';
import { describeDatabases } from '../support/sites.js';
import { SeededRandom } from '../support/unusual-values.js';

const EVENTS = 6;
const ROUNDS = 300;
const PATIENCE_MS = 60_000;

describeDatabases('the journal of one record that several programs change', (database) => {
  let fixture: JournalFixture;
  const random = new SeededRandom(7);
  const ids: number[] = [];
  beforeAll(async () => {
    fixture = await openJournalFixture(database);
    for (let n = 0; n < EVENTS; n++) ids.push(Number((await fixture.create())['id']));
    for (const id of ids)
      await fixture.php(
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, 'theirs', '0')`,
      );
  });
  afterAll(() => fixture?.close());

  /** A statement of another program; it is repeated while the record is locked. */
  async function theirs(statement: string): Promise<void> {
    for (let attempt = 0; ; attempt++)
      try {
        await fixture.php(statement);
        return;
      } catch (error) {
        if (attempt > 200) throw error;
        await sleep(5);
      }
  }

  /** Waits until all records are as known. */
  async function settled(): Promise<void> {
    const { states } = fixture.app.nest.get(JournalWriter);
    for (const giveUp = Date.now() + PATIENCE_MS; ; await sleep(50)) {
      const changed = await Promise.all(
        (['post', 'term'] as const).flatMap((kind) => [
          states?.read(kind, (id) => sql`${id} > 0`, { changedOnly: true }),
          states?.gone(kind, (id) => sql`${id} > 0`),
        ]),
      );
      const left = changed.flatMap((some) => some ?? []).map(({ type, id }) => `${type} ${id}`);
      if (left.length === 0) return;
      if (Date.now() > giveUp) throw new Error(`Not journaled: ${left.join(', ')}.`);
    }
  }

  it('has an entry after each change, and the last states, in any order of own and foreign writes', async () => {
    const { journal, send } = fixture;
    const changes: { id: number; head: number }[] = [];
    let number = 0;
    const ours = async (id: number) => {
      const change = random.pick<object>([
        { title: `Ours ${++number}` },
        { website: `https://ours.example/${++number}` },
        { start_date: `2091-06-01 10:${10 + (++number % 50)}:00`, end_date: '2091-06-02 10:00:00' },
      ]);
      await sleep(random.roll(20));
      const head = await journal.head();
      const { status } = await send('admin', 'PUT', `/events/${id}`, change);
      expect([200, 503]).toContain(status);
      // A date may be that of an earlier round.
      if (status === 200 && 'title' in change) changes.push({ id, head });
    };
    const foreign = async (id: number) => {
      const value = `their ${++number}`;
      const meta = (to: string) =>
        `UPDATE wp_postmeta SET meta_value = '${to}' WHERE post_id = ${id} AND meta_key = 'theirs'`;
      const what = random.roll(4);
      await sleep(random.roll(20));
      const head = await journal.head();
      if (what === 0) await theirs(`UPDATE wp_posts SET post_excerpt = '${value}' WHERE ID = ${id}`);
      else if (what === 1) await theirs(meta(value));
      else if (what === 2) {
        // Something between that is taken back.
        await theirs(meta(value));
        await sleep(random.roll(30));
        await theirs(meta('0'));
        return;
      } else
        await theirs(
          `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, 'added', '${value}')`,
        );
      changes.push({ id, head });
    };
    for (let round = 0; round < ROUNDS; round++) {
      const id = random.pick(ids);
      const works = random.pick([[ours, foreign], [foreign, foreign, ours], [foreign], [ours, ours]]);
      await Promise.all(works.map((work) => work(id)));
      if (round % 50 === 49) await settled();
    }
    await settled();
    await fixture.check();
    const last = new Map<number, number>();
    for (const { id, seq } of await journal.after(0, { limit: 1_000_000 })) last.set(id, seq);
    expect(changes.length).toBeGreaterThan(ROUNDS / 2);
    for (const { id, head } of changes) expect(last.get(id) ?? 0).toBeGreaterThan(head);
  }, 300_000);
});
