import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConflictException } from '@nestjs/common';
import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { readRecords } from '../src/cli/import/import-records.js';
import { type ActionHook, Hooks } from '../src/common/hooks/hooks.js';
import { Database } from '../src/database/database.js';
import { RequestContexts } from '../src/http/request-contexts.service.js';
import type { ImportedRecord } from '../src/imports/file-record.js';
import { importEvents } from '../src/imports/import-events.js';
import { type FailedWrite, postHooks, termHooks } from '../src/resources/base/resource-hooks.js';
import { CATEGORY } from '../src/resources/categories/category-type.js';
import { EVENT } from '../src/resources/events/event-type.js';
import type { EventValues } from '../src/resources/events/event-values.js';
import { EventsService } from '../src/resources/events/events.service.js';
import { VENUE } from '../src/resources/venues/venue-type.js';
import { ScheduleRun } from '../src/scheduler/schedule-run.service.js';
import { describeEither } from './support/sites.js';
import { testFolder } from './support/test-folder.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

interface Call {
  hook: string;
  id?: number;
  change?: string;
  before?: { id: number };
  fields?: object;
}

/** How a hook rejects a write. */
interface Rejection {
  hook: string;
  error: Error;
}

const NAMES = [
  'validateInsert',
  'validateDelete',
  'beforeCommit',
  'writeFailed',
  'afterInsert',
  'delete',
] as const;
const ownHooks = { event: postHooks(EVENT), venue: postHooks(VENUE), category: termHooks(CATEGORY) };
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const DAY = { start_date: '2091-05-01 10:00:00', end_date: '2091-05-01 12:30:00' };

describeEither('hooks within the transaction of a write', (database) => {
  let fixture: WriteFixture;
  let hooks: Hooks;
  let calls: Call[] = [];
  let rejection: Rejection | undefined;
  let failures: FailedWrite<object, { id: number }>[] = [];

  beforeAll(async () => {
    fixture = await openWriteFixture(database, undefined, { RECURRENCE: 'on' });
    hooks = fixture.app.nest.get(Hooks);
    for (const [kind, own] of Object.entries(ownHooks))
      for (const name of NAMES) {
        const hook = own[name] as ActionHook<object> as ActionHook<Omit<Call, 'hook'>>;
        hooks.addAction(hook, (args) => {
          calls.push({ ...args, hook: `${kind} ${name}` });
          if (rejection?.hook === `${kind} ${name}`) throw rejection.error;
        });
        if (name === 'writeFailed')
          hooks.addAction(own.writeFailed as ActionHook<FailedWrite<object, { id: number }>>, (args) => {
            failures.push(args);
          });
      }
  });
  afterAll(() => fixture?.close());
  beforeEach(() => {
    [calls, failures, rejection] = [[], [], undefined];
  });

  const names = () => calls.map(({ hook, change }) => (change ? `${hook}: ${change}` : hook));
  const anonymous = () => fixture.app.nest.get(RequestContexts).anonymous();
  const forget = () => calls.splice(0);
  const term = async (fields = {}) => {
    const name = `Term ${Math.random()}`;
    const { body } = await fixture.send('admin', 'POST', '/categories', { name, ...fields });
    return body['id'] as number;
  };
  const venue = async () => {
    const { body } = await fixture.send('admin', 'POST', '/venues', { venue: `Venue ${Math.random()}` });
    return body['id'] as number;
  };
  const event = async (fields = {}) => (await fixture.create(fields))['id'] as number;
  const trashed = async () => {
    const id = await event();
    await fixture.send('admin', 'DELETE', `/events/${id}`);
    return id;
  };

  interface Write {
    name: string;
    /** Makes what the write needs; returns the last part of its path. */
    prepare?: () => Promise<number>;
    method: string;
    path: string;
    body?: object;
    hooks: string[];
  }

  const WRITES: Write[] = [
    {
      name: 'the create of an event',
      method: 'POST',
      path: '/events',
      body: { ...DAY, title: 'New' },
      hooks: ['event validateInsert', 'event beforeCommit: create', 'event afterInsert'],
    },
    {
      name: 'the update of an event',
      prepare: event,
      method: 'PUT',
      path: '/events',
      body: { title: 'Changed' },
      hooks: ['event validateInsert', 'event beforeCommit: update', 'event afterInsert'],
    },
    {
      name: 'the removal of an event',
      prepare: event,
      method: 'DELETE',
      path: '/events',
      hooks: ['event validateDelete', 'event beforeCommit: trash', 'event delete'],
    },
    {
      name: 'the restoration of an event',
      prepare: trashed,
      method: 'PUT',
      path: '/events',
      body: { status: 'publish' },
      hooks: ['event validateInsert', 'event beforeCommit: update', 'event afterInsert'],
    },
    {
      name: 'the create of a venue',
      method: 'POST',
      path: '/venues',
      body: { venue: 'A new hall' },
      hooks: ['venue validateInsert', 'venue beforeCommit: create', 'venue afterInsert'],
    },
    {
      name: 'the update of a venue',
      prepare: venue,
      method: 'PUT',
      path: '/venues',
      body: { city: 'Ulm' },
      hooks: ['venue validateInsert', 'venue beforeCommit: update', 'venue afterInsert'],
    },
    {
      name: 'the removal of a venue',
      prepare: venue,
      method: 'DELETE',
      path: '/venues',
      hooks: ['venue validateDelete', 'venue beforeCommit: trash', 'venue delete'],
    },
    {
      name: 'the create of a category',
      method: 'POST',
      path: '/categories',
      body: { name: 'Fresh' },
      hooks: ['category validateInsert', 'category beforeCommit: create', 'category afterInsert'],
    },
    {
      name: 'the update of a category',
      prepare: term,
      method: 'PUT',
      path: '/categories',
      body: { description: 'Changed' },
      hooks: ['category validateInsert', 'category beforeCommit: update', 'category afterInsert'],
    },
    {
      name: 'the deletion of a category',
      prepare: term,
      method: 'DELETE',
      path: '/categories',
      hooks: ['category validateDelete', 'category beforeCommit: delete', 'category delete'],
    },
  ];

  it.each(WRITES)('$name can be rejected by each of them, and writes nothing then', async (write) => {
    const { prepare, method, path, body, hooks: expected } = write;
    const id = await prepare?.();
    forget();
    const place = id === undefined ? path : `${path}/${id}`;
    const kind = expected[0]?.split(' ')[0];
    for (const hook of expected.slice(0, 2)) {
      rejection = { hook: hook.split(':')[0] ?? '', error: new ConflictException('Not now.') };
      const { status, body: error } = await fixture.unchanged(() =>
        fixture.send('admin', method, place, body),
      );
      expect([status, error['message']]).toEqual([409, 'Not now.']);
      expect(failures.splice(0)).toMatchObject([{ error: rejection.error, isUnconfirmed: false }]);
      const until = expected.slice(0, expected.indexOf(hook) + 1);
      expect(names()).toEqual([...until, `${kind} writeFailed`]);
      forget();
    }
    rejection = undefined;
    expect((await fixture.send('admin', method, place, body)).status).toBe(method === 'POST' ? 201 : 200);
    expect(names()).toEqual(expected);
    expect(calls[1]?.id).toBe(calls[2]?.id ?? calls[2]?.before?.id);
    expect([calls[0]?.before?.id, calls[1]?.before?.id]).toEqual([id, id]);
  });

  it('an error of any kind is the response: 500 for a bug, and nothing is written', async () => {
    for (const hook of ['event validateInsert', 'event beforeCommit']) {
      rejection = { hook, error: new TypeError('secret') };
      const refused = await fixture.refusal('admin', 'POST', '/events', { ...DAY, title: 'New' });
      expect(refused).toMatch(/^500 /);
    }
  });

  it('records and terms within an event have their own ones, before those of the event are finished', async () => {
    const body = { ...DAY, title: 'With all', venue: { venue: 'A place' }, categories: 'Unheard' };
    for (const hook of ['venue validateInsert', 'venue beforeCommit', 'category validateInsert']) {
      rejection = { hook, error: new ConflictException('No.') };
      expect(await fixture.refusal('admin', 'POST', '/events', body)).toBe('409 rest_conflict');
    }
    expect(names().filter((name) => name.endsWith('writeFailed'))).toEqual(
      Array(3).fill(['event writeFailed', 'venue writeFailed']).flat(),
    );
    forget();
    rejection = undefined;
    expect((await fixture.send('admin', 'POST', '/events', body)).status).toBe(201);
    expect(names()).toEqual([
      'event validateInsert',
      'venue validateInsert',
      'venue beforeCommit: create',
      'category validateInsert',
      'category beforeCommit: create',
      'event beforeCommit: create',
      'venue afterInsert',
      'category afterInsert',
      'event afterInsert',
    ]);
    forget();
    await fixture.send('admin', 'POST', '/events', { ...body, title: 'Again' });
    expect(calls.filter(({ hook }) => hook.startsWith('venue'))).toMatchObject([
      { hook: 'venue validateInsert', before: { title: 'A place', meta: expect.any(Map) } },
      { hook: 'venue beforeCommit', change: 'update', before: { title: 'A place' } },
      { hook: 'venue afterInsert', isNew: false },
    ]);
  });

  it('the validation of an event gets its dates, terms and linked records as they will be', async () => {
    let got: EventValues | undefined;
    hooks.addAction(ownHooks.event.validateInsert, ({ values }) => {
      got = values;
    });
    const [category, place] = [await term(), await venue()];
    const id = await event({
      start_date: '2091-07-01 20:00',
      end_date: '2091-07-01T22:00:00',
      timezone: 'America/New_York',
      categories: [category, 'Brand new'],
      venue: place,
      organizer: [{ organizer: 'Somebody' }],
    });
    const zone = 'America/New_York';
    const dates = {
      start: { instant: Date.parse('2091-07-02T00:00:00Z'), local: '2091-07-01 20:00:00', zone },
      end: { instant: Date.parse('2091-07-02T02:00:00Z'), local: '2091-07-01 22:00:00', zone },
      allDay: false,
    };
    expect(got).toEqual({
      ...dates,
      categories: [category, { name: 'Brand new' }],
      venue: [{ id: place }],
      organizer: [{ fields: expect.objectContaining({ organizer: 'Somebody' }) }],
    });
    await fixture.update(id, { title: 'Renamed' });
    expect(got).toMatchObject({ ...dates, venue: [{ id: place }] });
    expect(got).not.toHaveProperty('categories');
    await fixture.update(id, { start_date: '2091-07-01 19:00', venue: '', tags: '' });
    expect(got).toMatchObject({
      start: { local: '2091-07-01 19:00:00' },
      end: dates.end,
      venue: [],
      tags: [],
    });
  });

  it('they read and write by the manager of the transaction: the rows roll back with it', async () => {
    const counts: number[] = [];
    const rows = fixture.app.nest.get(Database);
    hooks.addAction(ownHooks.event.beforeCommit, async ({ transaction, id, fields }) => {
      const title = (fields as { title?: string } | undefined)?.title ?? '';
      if (!title.startsWith('Logged')) return;
      const found = await rows.query(
        sql`SELECT ID FROM ${rows.table('posts')} WHERE ID = ${id} AND post_title = ${title}`,
        transaction.manager,
      );
      counts.push(found.length);
      await rows.query(
        sql`INSERT INTO ${rows.table('options')} (option_name, option_value, autoload) VALUES (${`log ${id} ${title}`}, '', 'no')`,
        transaction.manager,
      );
      if (title === 'Logged in vain') throw new ConflictException('No.');
    });
    const id = await event({ title: 'Logged' });
    expect(await fixture.refusal('admin', 'PUT', `/events/${id}`, { title: 'Logged in vain' })).toBe(
      '409 rest_conflict',
    );
    const logged = await fixture.ask("SELECT option_name FROM wp_options WHERE option_name LIKE 'log %'");
    expect([counts, logged]).toEqual([[1, 1], [{ option_name: `log ${id} Logged` }]]);
  });

  it('they run again when a conflict with another writer repeats the write', async () => {
    let conflicts = 2;
    hooks.addAction(ownHooks.event.beforeCommit, ({ fields }) => {
      if (fields?.title !== 'Repeated' || conflicts === 0) return;
      conflicts -= 1;
      throw Object.assign(new Error('Deadlock found'), { code: 'ER_LOCK_DEADLOCK' });
    });
    const id = await event({ title: 'Repeated' });
    expect(names()).toEqual([
      ...Array(3).fill(['event validateInsert', 'event beforeCommit: create']).flat(),
      'event afterInsert',
    ]);
    expect(await fixture.ask("SELECT ID FROM wp_posts WHERE post_title = 'Repeated'")).toEqual([{ ID: id }]);
  });

  it('the transaction of an action is of no use when the action has ended', async () => {
    let manager: EntityManager | undefined;
    hooks.addAction(ownHooks.event.validateInsert, ({ transaction }) => {
      manager = transaction.manager;
    });
    hooks.addAction(
      ownHooks.event.beforeCommit,
      async ({ fields }) => {
        if (fields?.title === 'Kept') await manager?.query('SELECT 1');
      },
      30,
    );
    expect(await fixture.refusal('admin', 'POST', '/events', { ...DAY, title: 'Kept' })).toMatch(/^500 /);
  });

  it('one date of an event is validated as the event of its own that it becomes', async () => {
    const recurrence = 'RRULE:FREQ=DAILY;COUNT=3';
    const created = await fixture.create({ title: 'Daily', recurrence });
    const whole = created['id'] as number;
    const list = await fixture.send('admin', 'GET', `/events?include=${whole}&start_date=2091-05-01`);
    expect(list.status).toBe(200);
    const base = await fixture.ask(
      `SELECT o.occurrence_id AS id FROM wp_tec_occurrences o WHERE o.post_id = ${whole} ORDER BY o.start_date`,
    );
    const { settings } = await anonymous();
    const date = settings.occurrenceBase + Number(base[1]?.['id']);
    forget();
    for (const hook of ['event validateInsert', 'event beforeCommit']) {
      rejection = { hook, error: new ConflictException('No.') };
      expect(await fixture.refusal('admin', 'PUT', `/events/${date}`, { title: 'Moved' })).toBe(
        '409 rest_conflict',
      );
    }
    forget();
    rejection = undefined;
    expect((await fixture.send('admin', 'PUT', `/events/${date}`, { title: 'Moved' })).status).toBe(200);
    expect(names()).toEqual([
      'event beforeCommit: update',
      'event validateInsert',
      'event beforeCommit: create',
      'event afterInsert',
      'event afterInsert',
    ]);
    const [ofSeries, validated, ofDate] = calls;
    expect([ofSeries?.id, validated?.before?.id]).toEqual([whole, ofDate?.id]);
    rejection = { hook: 'event validateDelete', error: new ConflictException('No.') };
    const last = settings.occurrenceBase + Number(base[2]?.['id']);
    expect(await fixture.refusal('admin', 'DELETE', `/events/${last}`)).toBe('409 rest_conflict');
  });

  it('scheduled publications and the final deletion from the trash run them, and stay when rejected', async () => {
    const run = fixture.app.nest.get(ScheduleRun);
    const status = async (id: number) =>
      (await fixture.ask(`SELECT post_status AS status FROM wp_posts WHERE ID = ${id}`))[0]?.['status'];
    const due = await event({ title: 'Soon', status: 'publish', date: '2091-03-01 10:00:01' });
    expect(await status(due)).toBe('future');
    fixture.app.clock.pass(86_400_000);
    forget();
    rejection = { hook: 'event validateInsert', error: new ConflictException('No.') };
    await run.once();
    expect([await status(due), failures.map(({ before }) => before?.id)]).toEqual(['future', [due]]);
    rejection = undefined;
    forget();
    await run.once();
    expect([await status(due), names()]).toEqual([
      'publish',
      ['event validateInsert', 'event beforeCommit: update', 'event afterInsert'],
    ]);
    const gone = await trashed();
    const context = await anonymous();
    const events = fixture.app.nest.get(EventsService);
    forget();
    rejection = { hook: 'event validateDelete', error: new ConflictException('No.') };
    const remove = () => events.removeTrashed(gone, Number.MAX_SAFE_INTEGER, context);
    await expect(fixture.unchanged(remove)).rejects.toThrow('No.');
    rejection = undefined;
    forget();
    expect(await remove()).toBe(true);
    expect(names()).toEqual(['event validateDelete', 'event beforeCommit: delete', 'event delete']);
  });

  it('an import leaves out what they reject, and stores the rest of its batch', async () => {
    const path = join(await mkdtemp(join(testFolder(), 'hooks-')), 'file.ics');
    const one = (title: string) => [
      'BEGIN:VEVENT',
      `UID:${title}`,
      'DTSTART:20910601T100000Z',
      `SUMMARY:${title}`,
      'END:VEVENT',
    ];
    const lines = ['BEGIN:VCALENDAR', ...[1, 2, 3, 4, 5].flatMap((n) => one(`No ${n}`)), 'END:VCALENDAR', ''];
    await writeFile(path, lines.join('\r\n'));
    hooks.addAction(ownHooks.event.validateInsert, ({ fields: { title } }) => {
      if (title === 'No 3') throw new ConflictException('Not the third one.');
    });
    const found: ImportedRecord[] = [];
    for await (const record of importEvents(fixture.app.nest, { as: 'admin' }, (read) =>
      readRecords(path, read),
    ))
      found.push(record);
    expect(found.map(({ outcome }) => outcome)).toEqual([
      'created',
      'created',
      'left out',
      'created',
      'created',
    ]);
    expect(failures).toHaveLength(1);
  });

  it('actions of one hook run by priority, given as a number or by name', async () => {
    const order: string[] = [];
    const { validateDelete } = ownHooks.event;
    hooks.addAction(validateDelete, () => void order.push('last'), { priority: 20 });
    hooks.addAction(validateDelete, () => void order.push('first'), 5);
    await fixture.send('admin', 'DELETE', `/events/${await event()}`);
    expect(order).toEqual(['first', 'last']);
  });
});

describeEither('a hook that does not end', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database, undefined, { DATABASE_TIMEOUT: '1s' });
  });
  afterAll(() => fixture?.close());

  it('is given up with 503, frees the write lock, and cannot write afterwards', async () => {
    const hooks = fixture.app.nest.get(Hooks);
    let late: Promise<unknown> | undefined;
    let reason: unknown;
    hooks.addAction(postHooks(EVENT).beforeCommit, ({ fields, transaction, signal }) => {
      if (fields?.title !== 'Endless') return undefined;
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          const change = "UPDATE wp_options SET option_value = 'late' WHERE option_name = 'blogname'";
          late = turn().then(() => transaction.manager.query(change));
          late.catch(resolve);
        });
      });
    });
    const endless = fixture.send('admin', 'POST', '/events', { ...DAY, title: 'Endless' });
    const other = fixture.create({ title: 'Patient' });
    expect(await endless).toMatchObject({ status: 503, body: { code: 'hook_timeout' } });
    expect(await fixture.ask("SELECT ID FROM wp_posts WHERE post_title = 'Endless'")).toEqual([]);
    expect(await fixture.ask("SELECT 1 FROM wp_options WHERE option_value = 'late'")).toEqual([]);
    await expect(late).rejects.toThrow('The transaction is over.');
    expect(reason).toMatchObject({ code: 'hook_timeout' });
    expect(await other).toMatchObject({ title: 'Patient' });
  });
});
