// What the journal of changes costs: durable writes of one server with it and one without it, in turn, on one MariaDB; how
// long a first fill, the detection of foreign changes and the linked entries of a renamed category take.
//   npm run build && node bench/journal.mjs [--events 1000 --seconds 10 --only writes,journal]
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './measure.mjs';
import { NODE_OPTIONS, startServer } from './processes.mjs';
import { ask, startSite } from './site.mjs';
import { event, writeHeaders } from './writes.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ALMANAC = join(ROOT, 'dist/main.js');
const BASE = '/cal/events/v1';
const headers = writeHeaders();

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '10' },
    only: { type: 'string', default: 'writes,journal' },
  },
});
const [events, seconds] = [given.events, given.seconds].map(Number);
const began = Date.now();
const say = (text) => console.log(`${((Date.now() - began) / 1000).toFixed()} s: ${text}`);

const site = await startSite(events, say);
const common = { DATABASE_URL: site.uri, LOG_LEVEL: 'error', NODE_ENV: 'production', SCHEDULER: 'off' };
const start = (CHANGES) => startServer(ALMANAC, `${BASE}/events`, { ...common, CHANGES }, NODE_OPTIONS);
let number = 0;

async function send(url, method, path, body) {
  const answer = await fetch(`${url}${BASE}${path}`, { method, headers, body: JSON.stringify(body) });
  if (answer.status >= 300) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Durations of creates and updates in milliseconds, sent to all servers in turn. */
async function writes(urls) {
  const took = urls.map(() => ({ create: [], update: [] }));
  const timed = async (at, kind, work) => {
    const from = performance.now();
    const result = await work();
    took[at][kind].push(performance.now() - from);
    return result;
  };
  for (const end = performance.now() + seconds * 1000; performance.now() < end; )
    for (const [at, url] of urls.entries()) {
      const { id } = await timed(at, 'create', () => send(url, 'POST', '/events', event(++number)));
      await timed(at, 'update', () =>
        send(url, 'PUT', `/events/${id}`, { title: `Changed evening ${number}` }),
      );
    }
  return took;
}

const FOREIGN = "SELECT COUNT(*) AS count FROM wp_almanac_changes WHERE source = 'foreign'";
/** Repeats work until the signal aborts. */
async function meanwhile(signal, work) {
  while (!signal.aborted) await work();
}
/** Lists per second, each of another page. */
async function lists(url) {
  const end = performance.now() + seconds * 500;
  let done = 0;
  const client = async () => {
    while (performance.now() < end) {
      const answer = await fetch(`${url}${BASE}/events?start_date=2000-01-01&page=${1 + (done % 90)}`);
      await answer.arrayBuffer();
      done += 1;
    }
  };
  await Promise.all([client(), client()]);
  return (done / (seconds / 2)).toFixed();
}

const count = (text) =>
  ask(site.uri, async (connection) => Number((await connection.query(text))[0][0].count));
/** Milliseconds until a count is reached. */
async function until(text, least) {
  const from = performance.now();
  while ((await count(text)) < least) await sleep(50);
  return performance.now() - from;
}

try {
  // One category has all events.
  await ask(site.uri, (connection) =>
    connection.query(
      `SELECT @id := term_taxonomy_id FROM wp_term_taxonomy WHERE taxonomy = 'tribe_events_cat' ORDER BY count DESC LIMIT 1;
       INSERT IGNORE INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT ID, @id FROM wp_posts WHERE post_type = 'tribe_events';
       UPDATE wp_term_taxonomy SET count = (SELECT COUNT(*) FROM wp_term_relationships WHERE term_taxonomy_id = @id) WHERE term_taxonomy_id = @id`,
    ),
  );
  execFileSync(process.execPath, [join(ROOT, 'bin/almanac.cjs'), 'migrate'], {
    env: { ...process.env, ...common, CHANGES: 'on' },
  });
  let server = await start('on');
  const filled = await until(
    "SELECT COUNT(*) AS count FROM wp_almanac_records WHERE record_id = 0 AND record_type <> ''",
    5,
  );
  say(`first fill: ${(filled / 1000).toFixed(1)} s`);
  if (given.only.includes('journal')) {
    await sleep(3000);
    const head = 'SELECT COALESCE(MAX(seq), 0) AS count FROM wp_almanac_changes';
    const foreign = {
      'a saved post': `UPDATE wp_posts SET post_title = 'Theirs', post_modified_gmt = UTC_TIMESTAMP() WHERE post_type = 'tribe_events' ORDER BY ID DESC LIMIT 1`,
      'an added meta row': `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT MAX(ID), 'added', '1' FROM wp_posts WHERE post_type = 'tribe_events'`,
      'a meta row changed in place': `UPDATE wp_postmeta SET meta_value = CONCAT(meta_value, ' ') WHERE meta_key = '_EventURL' ORDER BY meta_id DESC LIMIT 1`,
      'a removed term': `DELETE FROM wp_term_relationships ORDER BY object_id DESC LIMIT 1`,
    };
    const measure = async (beside) => {
      for (const [name, statement] of Object.entries(foreign)) {
        const before = await count(FOREIGN);
        await ask(site.uri, (connection) => connection.query(statement));
        say(`${name}${beside}: journaled after ${((await until(FOREIGN, before + 1)) / 1000).toFixed(1)} s`);
        await sleep(1000);
      }
    };
    say(`lists: ${await lists(server.url)}/s`);
    await measure('');
    const stop = new AbortController();
    const besides = meanwhile(stop.signal, () => send(server.url, 'POST', '/events', event(++number)));
    await sleep(3000);
    await measure(', beside creates');
    stop.abort();
    await besides;
    const bare = await start('off');
    const measured = [
      [bare, 'without the journal'],
      [server, 'with it'],
      [bare, 'without'],
      [server, 'with it'],
    ];
    for (const [{ url }, name] of measured) {
      const changes = new AbortController();
      const changing = meanwhile(changes.signal, async () => {
        await ask(site.uri, (connection) => connection.query(foreign['a meta row changed in place']));
        await sleep(1000);
      });
      say(`lists beside foreign changes, ${name}: ${await lists(url)}/s`);
      changes.abort();
      await changing;
    }
    await bare.stop();
    await sleep(3000);
    const [category, linkedCount] = await ask(site.uri, async (connection) => {
      const [[row]] = await connection.query(
        "SELECT term_id AS id, count FROM wp_term_taxonomy WHERE taxonomy = 'tribe_events_cat' ORDER BY count DESC LIMIT 1",
      );
      return [row.id, row.count];
    });
    const before = await count(head);
    const from = performance.now();
    await send(server.url, 'PUT', `/categories/${category}`, { name: 'Renamed' });
    const renamed = performance.now() - from;
    // Writes beside wait for the steps of the linked entries.
    let slowest = 0;
    const linked = until(head, before + linkedCount);
    let isDone = false;
    linked.then(() => {
      isDone = true;
    });
    while (!isDone) {
      const begun = performance.now();
      await send(server.url, 'POST', '/events', event(++number));
      slowest = Math.max(slowest, performance.now() - begun);
    }
    say(
      `a category with ${linkedCount} events: renamed in ${renamed.toFixed()} ms, all entries after ${((await linked) / 1000).toFixed(1)} s, slowest create beside ${slowest.toFixed()} ms`,
    );
  }
  if (given.only.includes('writes')) {
    await server.stop();
    // The detector, which another process seems to be, would journal what the other server writes.
    const lease = `${Math.floor(Date.now() / 1000) + 86_400} bench`;
    await ask(site.uri, (connection) =>
      connection.query(
        "REPLACE INTO wp_options (option_name, option_value) VALUES ('almanac_lease_changes', ?)",
        [lease],
      ),
    );
    const servers = [await start('off'), await start('on')];
    const urls = servers.map(({ url }) => url);
    await writes(urls);
    const [off, on] = await writes(urls);
    for (const kind of ['create', 'update'])
      say(
        `${kind}: ${median(off[kind]).toFixed(2)} ms without, ${median(on[kind]).toFixed(2)} ms with, ratio ${(median(on[kind]) / median(off[kind])).toFixed(3)} of ${on[kind].length}`,
      );
    server = servers[0];
    await servers[1].stop();
  }
  await server.stop();
} finally {
  await site.stop();
}
