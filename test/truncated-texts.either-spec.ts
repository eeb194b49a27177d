import { credentials } from './support/calendar-client.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const LONE_SURROGATE =
  /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}|\ufffd/i;
/** Wherever texts are cut, one of these is cut inside a surrogate pair. */
const LONG = ['', 'a', 'ab', 'abc'].map((before) => `${before}${'😀'.repeat(60_000)}`);
const MIDDLE = ['', 'a'].map((before) => `${before}${'😀'.repeat(900)}`);

describeEither('truncated texts of emoji', (database) => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  afterAll(() => fixture?.close());

  const read = async (path: string) => {
    const response = await fetch(`${fixture.app.url}${path}`);
    return [response.status, await response.text()] as const;
  };

  it.each([...LONG, ...MIDDLE].map((text) => [text.length, text] as const))(
    'are rendered without lone surrogates: %d code units',
    async (_, text) => {
      const name = [...text].slice(0, 900).join('');
      const { id } = await fixture.create({
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
        expect([path, status, LONE_SURROGATE.exec(body)?.[0]]).toEqual([path, 200, undefined]);
      }
    },
  );

  it.each([
    '{"title":"\\ud83d"}',
    '{"title":"a\\uDC00b"}',
    '{"\\ud83dx":1}',
    '{"title":"x","venue":{"venue":"\\udfff"}}',
  ])('are rejected with 400 rest_invalid_json for a lone surrogate: %s', async (body) => {
    const count = async () => fixture.ask('SELECT COUNT(*) AS n FROM wp_posts');
    const before = await count();
    const reply = await fetch(`${fixture.app.url}/cal/events/v1/events`, {
      method: 'POST',
      headers: { ...credentials('admin'), 'Content-Type': 'application/json' },
      body,
    });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ code: 'rest_invalid_json', data: { json_error_code: 10 } });
    expect(await count()).toEqual(before);
  });

  it('may contain whole characters and an escaped backslash before a surrogate code', async () => {
    const { title } = await fixture.create({ title: 'Look: \\ud83d, 😀' });
    expect(title).toContain('😀');
  });
});
