import { setTimeout as sleep } from 'node:timers/promises';
import { TableVersions } from '../src/database/table-versions.service.js';
import { retry } from './support/retry.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

describeEither('the lookup cache', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  afterAll(async () => fixture?.close());

  const ALL_DATES = 'start_date=2000-01-01&end_date=2099-12-31';
  // Each list has another URL, so that none comes from the response cache.
  let requestCount = 0;
  const listWith = async (filter: string, caller: 'anonymous' | 'admin' = 'anonymous') => {
    requestCount += 1;
    fixture.app.statements();
    const path = `/events?${ALL_DATES}&per_page=1&ends_after=${1000 + requestCount}-01-01&${filter}`;
    const { status } = await fixture.send(caller, 'GET', path);
    return {
      status,
      checks: fixture.app.statements().sql.filter((text) => LOOKUP_STATEMENT.test(text)).length,
    };
  };
  const LOOKUP_STATEMENT = /SELECT p\.ID AS id, p\.post_type AS type, p\.post_status|x\.parent AS parent/;
  const queryId = async (sql: string) => Number((await fixture.ask(sql))[0]?.['id']);
  const venueId = () =>
    queryId("SELECT MIN(ID) AS id FROM wp_posts WHERE post_type = 'tribe_venue' AND post_status = 'publish'");
  const termId = (taxonomy: string) =>
    queryId(`SELECT MIN(term_id) AS id FROM wp_term_taxonomy WHERE taxonomy = '${taxonomy}'`);
  /** Waits until the content version stays unchanged. */
  const untilUnchanged = async () => {
    const changes = fixture.app.nest.get(TableVersions);
    for (let before: number | undefined; ; await sleep(300)) {
      const now = (await changes.snapshot())?.contentVersion;
      if (now !== undefined && now === before) return;
      before = now;
    }
  };

  it('serves records of filters until a row of their table changes, also by foreign writes', async () => {
    const [venue, category, tag] = [
      await venueId(),
      await termId('tribe_events_cat'),
      await termId('post_tag'),
    ];
    for (const filter of [`venue=${venue}`, `categories=${category}`, `tags=${tag}`]) {
      await retry(async () => {
        await untilUnchanged();
        await listWith(filter);
        expect([filter, await listWith(filter)]).toEqual([filter, { status: 200, checks: 0 }]);
      });
      expect([filter, (await listWith(filter, 'admin')).checks > 0]).toEqual([filter, true]);
    }
    await fixture.ask(`UPDATE wp_posts SET post_status = 'draft' WHERE ID = ${venue}`);
    await fixture.ask(`DELETE FROM wp_term_taxonomy WHERE term_id = ${tag}`);
    await sleep(1100);
    expect([(await listWith(`venue=${venue}`)).status, (await listWith(`tags=${tag}`)).status]).toEqual([
      400, 400,
    ]);
  });

  it('does not store unknown records and other spellings', async () => {
    const [tag] = [await termId('post_tag')];
    await untilUnchanged();
    for (const filter of ['venue=999999', 'tags=none-such', `tags=${tag},${tag}`, `tags=0${tag}`]) {
      await listWith(filter);
      expect([filter, (await listWith(filter)).checks > 0]).toEqual([filter, true]);
    }
  });
});
