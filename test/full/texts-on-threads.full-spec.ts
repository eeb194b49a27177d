import { wpUnslash } from '../../src/lib/wordpress-text/formatting/esc-html.js';
import { newRenderState } from '../../src/lib/wordpress-text/formatting/render-context.js';
import {
  contentSavePre,
  preTermDescription,
  sanitizeTextField,
} from '../../src/lib/wordpress-text/formatting/sanitize.js';
import { theContent } from '../../src/lib/wordpress-text/formatting/the-content.js';
import { SettingsService } from '../../src/wordpress/options/settings.service.js';
import { TextPool, TextsBusy } from '../../src/wordpress/rendering/text-pool.js';
import { compiledWorker } from '../support/compiled-worker.js';
import { describeDatabases } from '../support/sites.js';
import { EVENT, openWriteFixture, type WriteFixture } from '../support/write-fixture.js';

const EVENT_ID = 53;
const UNIT = `It's a "fine" day -- isn't it? <b>5' 6"</b> & more… 漢字\n\n`;
const STORED = UNIT.repeat(Math.ceil(2_000_000 / UNIT.length));
const SENT = `<p onclick="x">"1 & 2" <3</p>\n`.repeat(5000);

describeDatabases('long texts', (database) => {
  const worker = compiledWorker('wordpress/rendering/text-worker');
  // On a busy machine a text takes long without exceeding the limit.
  const pool = new TextPool(worker, { waiting: 64, time: 240_000, memory: 512 });
  const run = pool.run.bind(pool);
  let onThread: jest.SpiedFunction<TextPool['run']>;
  let fixture: WriteFixture;

  beforeAll(async () => {
    onThread = jest.spyOn(pool, 'run');
    fixture = await openWriteFixture(database, undefined, undefined, pool);
  });
  beforeEach(() => onThread.mockClear());
  afterAll(async () => {
    await fixture?.close();
    await pool.close();
  });

  const store = (id: number, content: string) =>
    fixture.app.dataSource.query('UPDATE wp_posts SET post_content = ? WHERE ID = ?', [content, id]);
  const rendered = async (text: string) => {
    const { render } = await fixture.app.nest.get(SettingsService).current();
    return theContent(text, { site: render, attachments: new Map(), state: newRenderState() });
  };
  const content = async (id: unknown) =>
    (
      (await fixture.ask(`SELECT post_content AS text FROM wp_posts WHERE ID = ${Number(id)}`)) as {
        text: string;
      }[]
    )[0]?.text;
  const meta = async (id: unknown, key: string) =>
    (
      (await fixture.ask(
        `SELECT meta_value AS text FROM wp_postmeta WHERE post_id = ${Number(id)} AND meta_key = '${key}'`,
      )) as { text: string }[]
    )[0]?.text;

  it('render a stored description of 2 MB as the functions do, alone and in a list', async () => {
    await store(EVENT_ID, STORED);
    const expected = await rendered(STORED);
    const one = await fixture.send('anonymous', 'GET', `/events/${EVENT_ID}`);
    expect(one.status).toBe(200);
    expect(one.body['description'] === expected).toBe(true);
    const list = await fixture.send('anonymous', 'GET', `/events?include=${EVENT_ID}&start_date=2000-01-01`);
    const [event] = list.body['events'] as { id: number; description: string }[];
    expect(event?.id).toBe(EVENT_ID);
    expect(event?.description === expected).toBe(true);
    // The list used the cached rendering of the single read.
    expect(onThread.mock.calls.filter(([name]) => name === 'content')).toHaveLength(1);
    await store(EVENT_ID, 'Short again');
  });

  it('sanitize sent texts before the write as short ones, by the capabilities of the user', async () => {
    const clean = (unfiltered: boolean) => contentSavePre(wpUnslash(SENT), unfiltered);
    for (const [caller, unfiltered] of [
      ['author', false],
      ['admin', true],
    ] as const) {
      const { id } = await fixture.create({ description: SENT }, caller);
      expect((await content(id)) === clean(unfiltered)).toBe(true);
      const updated = await fixture.update(id, { description: `${SENT}\\\\ more` }, caller);
      const stored = contentSavePre(wpUnslash(`${SENT}\\\\ more`), unfiltered);
      expect((await content(id)) === stored).toBe(true);
      expect(updated['description'] === (await rendered(stored))).toBe(true);
    }
    expect(onThread.mock.calls.filter(([name]) => name === 'clean')).toHaveLength(4);
  });

  it('sanitize texts of inline venues and of terms before the write too', async () => {
    const address = '<i>Street</i> %41 1 '.repeat(95);
    const { venue } = await fixture.create(
      { venue: { venue: 'Long', description: SENT, address } },
      'editor',
    );
    const { id } = venue as { id: number };
    expect(await meta(id, '_VenueAddress')).toBe(sanitizeTextField(address));
    const { status, body } = await fixture.send('admin', 'POST', '/categories', {
      name: 'Long',
      description: SENT,
    });
    expect(status).toBe(201);
    const rows = (await fixture.ask(
      `SELECT description AS text FROM wp_term_taxonomy WHERE term_id = ${Number(body['id'])}`,
    )) as { text: string }[];
    expect(rows[0]?.text === preTermDescription(SENT)).toBe(true);
    expect(onThread.mock.calls.filter(([name]) => name === 'clean')).toHaveLength(3);
  });

  it('sanitize nothing for a user who may not write', async () => {
    const target = await fixture.target();
    expect(await fixture.refusal('subscriber', 'POST', `/events/${target}`, { description: SENT })).toBe(
      '403 rest_forbidden',
    );
    expect(await fixture.refusal('anonymous', 'POST', `/events/${target}`, { description: SENT })).toBe(
      '401 rest_forbidden',
    );
    expect(onThread).not.toHaveBeenCalled();
  });

  it('reject sent texts that cannot be rendered, and show stored ones unrendered', async () => {
    onThread.mockImplementation(async (name, input) => {
      if ('text' in input && input.text.startsWith('hard')) throw new TextsBusy('too hard', true);
      return run(name, input);
    });
    const hard = `hard ${'x '.repeat(10_000)}`;
    expect(await fixture.refusal('admin', 'POST', '/events', { ...EVENT, description: hard })).toBe(
      '400 text_too_hard',
    );
    expect(await fixture.refusal('admin', 'POST', '/venues', { venue: 'Hard', description: hard })).toBe(
      '400 text_too_hard',
    );
    await store(EVENT_ID, hard);
    const { status, body } = await fixture.send('anonymous', 'GET', `/events/${EVENT_ID}`);
    expect([status, body['description']]).toEqual([200, hard.trim()]);
    await store(EVENT_ID, 'Short again');
    expect((await fixture.send('anonymous', 'GET', `/events/${EVENT_ID}`)).status).toBe(200);
    onThread.mockRestore();
  });
});
