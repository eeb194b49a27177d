import { setTimeout as sleep } from 'node:timers/promises';
import { TableVersions } from '../src/database/table-versions.service.js';
import { retry } from './support/retry.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

describeEither('what filters of lists name', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  afterAll(async () => fixture?.close());

  const ALL = 'start_date=2000-01-01&end_date=2099-12-31';
  // No list is asked for twice: none is answered from what was kept of another one.
  let attempts = 0;
  const listed = async (filter: string, caller: 'anonymous' | 'admin' = 'anonymous') => {
    attempts += 1;
    fixture.app.statements();
    const path = `/events?${ALL}&per_page=1&ends_after=${1000 + attempts}-01-01&${filter}`;
    const { status } = await fixture.send(caller, 'GET', path);
    return { status, checks: fixture.app.statements().sql.filter((text) => NAMED.test(text)).length };
  };
  const NAMED = /SELECT p\.ID AS id, p\.post_type AS type, p\.post_status|x\.parent AS parent/;
  const one = async (sql: string) => Number((await fixture.ask(sql))[0]?.['id']);
  const venueId = () =>
    one("SELECT MIN(ID) AS id FROM wp_posts WHERE post_type = 'tribe_venue' AND post_status = 'publish'");
  const termId = (taxonomy: string) =>
    one(`SELECT MIN(term_id) AS id FROM wp_term_taxonomy WHERE taxonomy = '${taxonomy}'`);
  /** Until nothing that was written counts as just changed. */
  const quiet = async () => {
    const changes = fixture.app.nest.get(TableVersions);
    for (let before: number | undefined; ; await sleep(300)) {
      const now = (await changes.snapshot())?.contentVersion;
      if (now !== undefined && now === before) return;
      before = now;
    }
  };

  it('is read once, until a row of its table changes, whoever changes it', async () => {
    const [venue, category, tag] = [
      await venueId(),
      await termId('tribe_events_cat'),
      await termId('post_tag'),
    ];
    for (const filter of [`venue=${venue}`, `categories=${category}`, `tags=${tag}`]) {
      await retry(async () => {
        await quiet();
        await listed(filter);
        expect([filter, await listed(filter)]).toEqual([filter, { status: 200, checks: 0 }]);
      });
      expect([filter, (await listed(filter, 'admin')).checks > 0]).toEqual([filter, true]);
    }
    await fixture.ask(`UPDATE wp_posts SET post_status = 'draft' WHERE ID = ${venue}`);
    await fixture.ask(`DELETE FROM wp_term_taxonomy WHERE term_id = ${tag}`);
    await sleep(1100);
    expect([(await listed(`venue=${venue}`)).status, (await listed(`tags=${tag}`)).status]).toEqual([
      400, 400,
    ]);
  });

  it('is not kept where there is none, nor by other spellings', async () => {
    const [tag] = [await termId('post_tag')];
    await quiet();
    for (const filter of ['venue=999999', 'tags=none-such', `tags=${tag},${tag}`, `tags=0${tag}`]) {
      await listed(filter);
      expect([filter, (await listed(filter)).checks > 0]).toEqual([filter, true]);
    }
  });
});
