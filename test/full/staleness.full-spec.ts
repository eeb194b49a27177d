import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { clientOf, credentials } from '../support/calendar-client.js';
import { Instants } from '../support/instants.js';
import { serverMissing } from '../support/mariadb.js';
import { askOf } from '../support/own-mariadb.js';
import { rawRequest } from '../support/raw-request.js';
import {
  factsOf,
  otherFacts,
  SecondWriter,
  type StoredEvent,
  type World,
  YEAR,
} from '../support/second-writer.js';
import { makeSite, SERVER_NAME, type Site } from '../support/sites.js';
import { SeededRandom } from '../support/unusual-values.js';

const EVENTS = 14;
const MAX_LENGTH = 1000;
const WINDOW = `start_date=${YEAR}-01-01&end_date=${YEAR}-12-31&per_page=50`;
const IMAGE = 4;
const TERMS = [3, 7];

interface Json {
  [key: string]: unknown;
  id: number;
}

/** The highest age per kind of fact, and the outdated values. */
class Findings {
  readonly worst = new Map<string, number>();
  readonly tooOld: string[] = [];
  looked = 0;

  constructor(private readonly moments: Instants) {}

  /** `allowed`: the maximum age of a shown value, in milliseconds. */
  see(fact: string, value: unknown, reads: { at: number; what: string; allowed: number }): void {
    const stale = this.moments.staleness(fact, String(value), reads.at);
    this.looked += 1;
    const kind = fact.replace(/ \d+/g, '');
    this.worst.set(kind, Math.max(this.worst.get(kind) ?? 0, stale));
    if (stale > reads.allowed)
      this.tooOld.push(`${reads.what}: ${fact} was ${value}, ${Math.round(stale)} ms after its end`);
  }
}

const WRITES = 2000;

(serverMissing() ? describe.skip : describe)('two thousand writes of others beside readers', () => {
  let site: Site;
  let server: BuiltServer;
  const moments = new Instants();
  const findings = new Findings(moments);
  const world: World = {
    events: [],
    venues: new Map(),
    terms: new Map(),
    file: '',
    home: '',
    isEditor: false,
    hasRoles: true,
  };
  const known = new Map<string, { etag: string; text: string }>();
  const agent = new Agent({ keepAlive: true });
  let draft = 0;
  let notModified = 0;

  beforeAll(async () => {
    site = await makeSite(SERVER_NAME);
    // This server would publish posts that others schedule.
    server = await startBuilt(site.url, [], { env: { SCHEDULER: 'off' } });
    const send = clientOf(server.url);
    const create = async (path: string, fields: object) => {
      const { status, body } = await send('admin', 'POST', path, fields);
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body;
    };
    for (let number = 0; number < 4; number++) {
      const title = `Hall x${number}x`;
      const { id } = await create('/venues', { venue: title, status: 'publish' });
      world.venues.set(Number(id), { title, isOpen: true });
    }
    const [, venue = 0] = [...world.venues.keys()];
    for (let number = 0; number < EVENTS; number++) {
      const times = { start_date: `${YEAR}-05-01 10:00:00`, end_date: `${YEAR}-05-01 12:00:00` };
      const texts = { title: `Title x${number}x`, description: `Text x${number}x` };
      const links = {
        venue,
        image: String(IMAGE),
        categories: [TERMS[0]],
        website: 'https://site.example/x0x',
      };
      const created = await create('/events', { ...times, ...texts, ...links });
      world.events.push({
        id: Number(created['id']),
        slug: String(created['slug']),
        exists: true,
        status: 'publish',
        type: 'tribe_events',
        password: '',
        title: texts.title,
        text: texts.description,
        hidden: false,
        year: YEAR,
        website: links.website,
        venue,
        terms: new Set(TERMS.slice(0, 1)),
      });
    }
    const times = { start_date: '2079-05-01 10:00:00', end_date: '2079-05-01 12:00:00' };
    draft = Number((await create('/events', { ...times, title: 'Draft', status: 'draft' }))['id']);
    const ask = askOf(site.url);
    const text = async (sql: string) => String(Object.values((await ask(sql))[0] as object)[0]);
    world.home = await text("SELECT option_value FROM wp_options WHERE option_name = 'home'");
    world.file = await text(
      `SELECT meta_value FROM wp_postmeta WHERE meta_key = '_wp_attached_file' AND post_id = ${IMAGE}`,
    );
    for (const id of TERMS)
      world.terms.set(id, await text(`SELECT name FROM wp_terms WHERE term_id = ${id}`));
    await ask(`UPDATE wp_usermeta SET meta_value = 'a:1:{s:13:"administrator";b:1;}'
      WHERE user_id = 4 AND meta_key = 'wp_capabilities'`);
    await ask("SET sql_mode = ''; CREATE TABLE parked AS SELECT * FROM wp_posts");
    moments.announce(factsOf(world.events, world))();
    moments.announce(otherFacts(world))();
  });
  afterAll(async () => {
    agent.destroy();
    await server?.kill();
    await site?.drop();
  });

  /** Checks a response, and for a 304 the response that it stands for. */
  async function read(path: string, dice: SeededRandom): Promise<void> {
    const before = known.get(path);
    const who = path.endsWith(String(draft)) && dice.pick(['subscriber', 'contributor'] as const);
    const headers = {
      ...(before && dice.roll(2) === 0 && { 'if-none-match': before.etag }),
      ...(who && credentials(who)),
    };
    const at = performance.now();
    const {
      status,
      text,
      headers: got,
    } = await rawRequest(server.url, { path: `/cal/events/v1${path}`, headers }, agent);
    if (status >= 500) throw new Error(`${path}: ${status} ${text}`);
    if (status === 304) notModified += 1;
    const body = status === 304 ? (before?.text ?? '') : text;
    if (status === 200 && got.etag) known.set(path, { etag: got.etag, text });
    const reads = { at, what: `${path} ${status}`, allowed: MAX_LENGTH };
    if (who) findings.see(`may read drafts as ${who}`, status < 400, reads);
    else look(path, status < 400, JSON.parse(body) as Json, reads);
  }

  function look(path: string, isOpen: boolean, body: Json, reads: Parameters<Findings['see']>[2]): void {
    const [, kind, id] = /^\/(\w+)(?:\/(?:by-slug\/)?([\w-]+))?/.exec(path) ?? [];
    const members = (name: string) => (body[name] ?? []) as Json[];
    if (kind === 'events' && id !== undefined) {
      const event = world.events.find((one) => one.slug === id || one.id === Number(id)) as StoredEvent;
      findings.see(`open alone ${event.id}`, isOpen, reads);
      if (isOpen) lookAtEvent(body, reads);
    } else if (kind === 'events') {
      const ids = new Set(members('events').map((event) => event.id));
      const [, term] = /categories=(\d+)/.exec(path) ?? [];
      const [, venue] = /venue=(\d+)/.exec(path) ?? [];
      const list = `${term ? ` of term ${term}` : ''}${venue ? ` of venue ${venue}` : ''}`;
      for (const event of world.events) findings.see(`listed ${event.id}${list}`, ids.has(event.id), reads);
      for (const event of members('events')) lookAtEvent(event, reads);
    } else if (kind === 'venues' && id !== undefined) {
      findings.see(`open ${id}`, isOpen, reads);
      if (isOpen) findings.see(`title ${id}`, body['venue'], reads);
    } else if (kind === 'venues') {
      const visible = new Map(members('venues').map((venue) => [venue.id, venue]));
      for (const venue of world.venues.keys()) findings.see(`open ${venue}`, visible.has(venue), reads);
      for (const venue of world.venues.keys())
        if (visible.has(venue)) findings.see(`title ${venue}`, visible.get(venue)?.['venue'], reads);
    } else
      for (const term of id === undefined ? members('categories') : [body])
        if (world.terms.has(term.id)) findings.see(`term ${term.id}`, term['name'], reads);
  }

  function lookAtEvent(event: Json, reads: Parameters<Findings['see']>[2]): void {
    const { id } = event;
    const text = String(event['description']).replace(/<\/?p>|\n/g, '');
    const title = String(event['title']).replace(/^Protected: /, '');
    findings.see(`title ${id}`, title, reads);
    findings.see(`text ${id}`, text === '' ? 'closed' : text, reads);
    findings.see('home', new URL(String(event['url'])).origin, reads);
    // A protected record has no other values.
    if (text === '') return;
    findings.see(`website ${id}`, event['website'], reads);
    findings.see(
      'file',
      String((event['image'] as { url?: string }).url).split('/uploads/')[1] ??
        JSON.stringify(event['image']),
      reads,
    );
    const venue = event['venue'] as Json;
    findings.see(`venue ${id}`, venue.id, reads);
    findings.see(`title ${venue.id}`, venue['venue'], reads);
    const terms = event['categories'] as Json[];
    findings.see(`terms ${id}`, terms.map((term) => term.id).sort(), reads);
    for (const term of terms) findings.see(`term ${term.id}`, term['name'], reads);
  }

  it('show no state that ended more than a second ago', async () => {
    const own = world.events.at(-1) as StoredEvent;
    const theirs = world.events.slice(0, -1);
    const seed = Date.now() % 1_000_000;
    const dice = new SeededRandom(seed);
    const writer = (ownEvents: StoredEvent[], isAlone: boolean) =>
      SecondWriter.on(site.url, world, moments, new SeededRandom(seed + ownEvents.length), {
        ownEvents,
        isAlone,
      });
    const [quick, slow] = [await writer(theirs.slice(4), true), await writer(theirs.slice(0, 4), false)];
    let isOver = false;

    const others = async () => {
      while (quick.commits + slow.commits < WRITES) {
        // Sometimes at the end of a second, the resolution of change times.
        if (dice.roll(40) === 0)
          await sleep(950 - (Date.now() % 1000) + (Date.now() % 1000 > 950 ? 1000 : 0));
        for (let burst = dice.roll(12); burst >= 0; burst--) await quick.write(1 + dice.roll(3));
        await sleep(dice.roll(40) === 0 ? 1000 + dice.roll(3000) : dice.roll(200));
      }
      isOver = true;
    };
    const slowOne = async () => {
      while (!isOver) await slow.write(1 + dice.roll(4), dice.roll(3) === 0 ? 2500 : dice.roll(400), true);
    };
    const ours = async () => {
      const send = clientOf(server.url);
      for (let number = 0; !isOver; number++) {
        own.title = `Own x${number}x`;
        const returned = moments.announce(factsOf([own], world));
        const { status } = await send('editor', 'POST', `/events/${own.id}`, { title: own.title });
        expect(status).toBe(200);
        returned();
        for (const path of [`/events/${own.id}`, `/events?${WINDOW}`]) {
          const reads = { at: performance.now(), what: `own write, ${path}`, allowed: 0 };
          const { text } = await rawRequest(server.url, { path: `/cal/events/v1${path}` }, agent);
          const body = JSON.parse(text) as Json;
          const visible = ((body['events'] as Json[]) ?? [body]).find(({ id }) => id === own.id);
          findings.see(`title ${own.id}`, visible?.['title'], reads);
        }
        await sleep(dice.roll(1200));
      }
    };
    const venues = [...world.venues.keys()];
    const paths = [
      `/events?${WINDOW}`,
      `/events?${WINDOW}`,
      `/events?categories=${TERMS[0]}&${WINDOW}`,
      `/events?venue=${venues[1]}&${WINDOW}`,
      ...world.events.flatMap(({ id, slug }) => [`/events/${id}`, `/events/by-slug/${slug}`]),
      ...venues.map((id) => `/venues/${id}`),
      '/venues?per_page=50&order=desc',
      '/categories?per_page=50',
      `/categories/${TERMS[1]}`,
      `/events/${draft}`,
    ];
    const reader = async () => {
      while (!isOver) {
        const cold = `/events?${WINDOW.replace('12-31', `12-${10 + dice.roll(20)} 10:${10 + dice.roll(50)}:00`)}`;
        await read(dice.roll(8) === 0 ? encodeURI(cold) : dice.pick(paths), dice);
        if (dice.roll(4) === 0) await sleep(dice.roll(20));
      }
    };
    const begun = performance.now();
    const readers = [reader(), reader(), reader(), reader()];
    await Promise.all([others(), slowOne(), ours(), ...readers]).finally(() => {
      isOver = true;
    });
    await Promise.all([quick.close(), slow.close()]);
    const worst = [...findings.worst].map(([kind, stale]) => `${kind} ${Math.round(stale)}`).join(', ');
    process.stdout.write(
      `seed ${seed}: ${quick.commits + slow.commits} commits of others in ${Math.round((performance.now() - begun) / 1000)} s, ${findings.looked} facts seen, ${notModified} times 304; worst staleness in ms: ${worst}\n`,
    );
    expect(findings.tooOld.slice(0, 20)).toEqual([]);
    expect(notModified).toBeGreaterThan(0);
    expect(server.log()).toBe('');
  });
});
