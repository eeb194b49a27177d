import { credentials } from './support/calendar-client.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const LONE = /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}|\ufffd/i;
/** Cut anywhere, one of them is cut inside a pair. */
const LONG = ['', 'a', 'ab', 'abc'].map((before) => `${before}${'😀'.repeat(60_000)}`);
const MIDDLE = ['', 'a'].map((before) => `${before}${'😀'.repeat(900)}`);

describeEither('texts of emoji that are cut', (database) => {
  let ground: WriteFixture;

  beforeAll(async () => {
    ground = await openWriteFixture(database);
  });
  afterAll(() => ground?.close());

  const read = async (path: string) => {
    const response = await fetch(`${ground.app.url}${path}`);
    return [response.status, await response.text()] as const;
  };

  it.each([...LONG, ...MIDDLE].map((text) => [text.length, text] as const))(
    'are shown without half a character: %d units',
    async (_, text) => {
      const name = [...text].slice(0, 900).join('');
      const { id } = await ground.create({
        title: name,
        description: text,
        excerpt: name,
        venue: { venue: name, address: name, city: name },
      });
      for (const path of [
        `/calendar?event=${id}`,
        `/calendar?search=${encodeURIComponent('😀😀')}`,
        '/calendar',
        `/cal/events/v1/events/${id}`,
        `/cal/events/v1/events/${id}.ics`,
        '/cal/events/v1/events.rss?per_page=3',
        '/cal/events/v1/events.feed.json?per_page=3',
      ]) {
        const [status, body] = await read(path);
        expect([path, status, LONE.exec(body)?.[0]]).toEqual([path, 200, undefined]);
      }
    },
  );

  it.each([
    '{"title":"\\ud83d"}',
    '{"title":"a\\uDC00b"}',
    '{"\\ud83dx":1}',
    '{"title":"x","venue":{"venue":"\\udfff"}}',
  ])('are refused with 400 where JSON names half a character: %s', async (body) => {
    const count = async () => ground.ask('SELECT COUNT(*) AS n FROM wp_posts');
    const before = await count();
    const answer = await fetch(`${ground.app.url}/cal/events/v1/events`, {
      method: 'POST',
      headers: { ...credentials('admin'), 'Content-Type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'rest_invalid_json', data: { json_error_code: 10 } });
    expect(await count()).toEqual(before);
  });

  it('take a whole character as escapes, and a backslash before what looks like half of one', async () => {
    const { title } = await ground.create({ title: 'Look: \\ud83d, 😀' });
    expect(title).toContain('😀');
  });
});
