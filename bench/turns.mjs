// For how long one request holds the event loop, in milliseconds of the server's processor time, which other programs hardly lengthen:
//   npm run build && npm run bench:turns [-- --events 1000 --times 5 --only 'calendar file']
// `First`: when a server is asked for the first time, and Node has to compile what answers. `Later`: the median and the most of others of its
// kind. docs/performance.md has a run.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './measure.mjs';
import { NODE_OPTIONS, settled, startServer } from './processes.mjs';
import { machineOf, machineText } from './report.mjs';
import { startSite } from './site.mjs';
import { writeHeaders } from './writes.mjs';

const BASE = '/cal/events/v1';
const LIST = `${BASE}/events`;
const ALL = 'start_date=2000-01-01';
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '1000' },
    times: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
  },
});
const asAdmin = { headers: writeHeaders() };
const written = (time) => ({
  title: `Held ${time}`,
  start_date: '2027-01-01 10:00:00',
  end_date: '2027-01-01 12:00:00',
});
const creating = (event) => ({ ...asAdmin, method: 'POST', body: JSON.stringify(event) });
const longText = (time) => `<p>Some “words” and 'more' -- ${time}</p>\n\n`.repeat(12_000);

/** What is asked for the first time, the second and so on, each time something else; and how. */
const REQUESTS = {
  'list of 10': (time) => [`${LIST}?${ALL}&per_page=10&page=${60 + time}`],
  'list of 50': (time) => [`${LIST}?${ALL}&per_page=50&page=${time}`],
  'list of 50, clean form': (time) => [`${LIST}?${ALL}&per_page=50&_format=clean&order=desc&page=${time}`],
  'list of 50, signed in': (time) => [`${LIST}?${ALL}&per_page=50&page=${time}`, asAdmin],
  'search, 50': (time) => [`${LIST}?${ALL}&per_page=50&search=the&page=${time}`],
  'one event': (_, { id }) => [`${LIST}/${id}`],
  'venues, 4': (time) => [`${BASE}/venues?per_page=4&page=${time}`],
  '`/doc`': (time) => [`${BASE}/doc?_fields=paths&_=${time}`],
  '`/openapi.json`': () => ['/openapi.json'],
  'calendar page': (time) => [`/calendar?page=${time}`],
  'calendar file, 500 events': (time) => [`${LIST}.ics?per_page=500&starts_after=2020-01-0${time}`],
  'calendar file, 1,000 events, signed in': (time) => [
    `${LIST}.ics?per_page=1000&starts_after=2020-01-0${time}`,
    asAdmin,
  ],
  'feed of 50': (time) => [`${LIST}.rss?${ALL}&per_page=50&page=${time}`],
  'an event created': (time) => [LIST, creating(written(time))],
  'one with 490,000 characters created': (time) => [
    LIST,
    creating({ ...written(time), description: longText(time) }),
  ],
};

const site = await startSite(Number(given.events), (text) => console.error(text));
const env = { DATABASE_URL: site.uri, RATE_LIMIT: 'off', LOG_REQUESTS: 'off' };
const server = await startServer(here('../dist/main.js'), LIST, env, [
  ...NODE_OPTIONS,
  '--import',
  here('./turn-watch.mjs'),
]);
// Swagger is loaded ten seconds after the start.
await sleep(10_000);
await settled(30, [server]);
const { events } = await (await fetch(`${server.url}${LIST}?per_page=50&page=3`)).json();

const machine = machineText(await machineOf());
console.log(`${machine}; ${given.events} events\n\n| Request | First | Later | Most |\n|---|---|---|---|`);
for (const [name, request] of Object.entries(REQUESTS)) {
  if (!name.includes(given.only)) continue;
  const held = [];
  for (let time = 1; time <= 1 + Number(given.times); time++) {
    await server.tell('begin');
    const [path, options] = request(time, events[time]);
    const answer = await fetch(server.url + path, options);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 500)}`);
    const [most] = await server.tell('end');
    held.push(most);
  }
  const [first, ...later] = held;
  const cells = [first, median(later), Math.max(...later)].map((number) => number.toFixed(1));
  console.log(`| ${[name, ...cells].join(' | ')} |`);
}
await server.stop();
await site.stop();
