import { grouped } from '../../support/groups.js';
import { type LinkedPostFixture, type LinkedPostResource, unused } from '../../support/linked-post-site.js';

type Fields = Record<string, unknown>;

/** What writing venues and organizers refuses; nothing may be written then. */
export function declareRefusals(
  ground: () => LinkedPostFixture,
  { plural, word, texts }: LinkedPostResource,
): void {
  describe('what is refused leaves no row', () => {
    it('a name is needed to create', async () => {
      const { refusal } = ground();
      expect(await refusal('admin', 'POST', `/${plural}`, {})).toBe(
        `400 rest_missing_callback_param ${word}`,
      );
      expect(await refusal('anonymous', 'POST', `/${plural}`, { [word]: null })).toBe(
        `400 rest_missing_callback_param ${word}`,
      );
    });

    const bad: [string, Fields, string][] = [
      ['W4: empty name', { [word]: '' }, word],
      ['W4: name 0', { [word]: '0' }, word],
      ['W15: name longer than its column', { [word]: 'x'.repeat(65_536) }, word],
      ['W18: name as a list', { [word]: ['a'] }, word],
      ['W18: name as a number', { [word]: 5 }, word],
      ['W18: description as an object', { description: { a: 1 } }, 'description'],
      ['W18: description as a number', { description: 1 }, 'description'],
      ...texts.map((field): [string, Fields, string] => [`W18: ${field} as a list`, { [field]: [] }, field]),
      ...['author', 'date', 'date_utc', 'description', 'status', 'image', ...texts].map(
        (field): [string, Fields, string] => [`${field} null`, { [field]: null }, field],
      ),
      ['website without a scheme', { website: 'example.org' }, 'website'],
      ['website of another kind', { website: 'javascript:alert(1)' }, 'website'],
      ['website outside ASCII', { website: 'https://exämple.org/' }, 'website'],
      ['unknown author', { author: 9999999 }, 'author'],
      ['author 0', { author: 0 }, 'author'],
      ['author as a word', { author: 'admin' }, 'author'],
      ['W18: author as a list', { author: [1] }, 'author'],
      ['date that is none', { date: 'nope' }, 'date'],
      ['empty date', { date: '' }, 'date'],
      ['date as a number', { date: 1_700_000_000 }, 'date'],
      ['date with a fraction', { date: '1.5' }, 'date'],
      ['date with an exponent', { date: '1e3' }, 'date'],
      ['date out of range', { date: '99999999999999' }, 'date'],
      ['UTC date that is none', { date_utc: 'nope' }, 'date_utc'],
      ...['', 'any', 'foo', 'trash', 'inherit', 'auto-draft', 'tribe-ignored', 'request-pending'].map(
        (status): [string, Fields, string] => [`W8: status ${status}`, { status }, 'status'],
      ),
      ['W18: status as a list', { status: ['publish'] }, 'status'],
      ['unknown image', { image: '9999999' }, 'image'],
      ['image that is an event', { image: '53' }, 'image'],
      ['image as a word', { image: 'x' }, 'image'],
      ['image as a number', { image: 5 }, 'image'],
      ['image from a server that keeps none', { image: 'https://example.org/a.jpg' }, 'image'],
    ];
    it.each(grouped(bad, ([, , param]) => param))('%s', async (param, rows) => {
      const { refusal, make, unchanged } = ground();
      const { id } = await make();
      const said: Record<string, string[]> = {};
      await unchanged(async () => {
        for (const [what, fields] of rows)
          said[what] = [
            await refusal('admin', 'POST', `/${plural}`, { [word]: unused(), ...fields }),
            await refusal('admin', 'PATCH', `/${plural}/${id}`, fields),
            // Parameters are looked at before rights.
            await refusal('anonymous', 'POST', `/${plural}`, { [word]: unused(), ...fields }),
          ];
      });
      const refused = Array(3).fill(`400 rest_invalid_param ${param}`);
      expect(said).toEqual(Object.fromEntries(rows.map(([what]) => [what, refused])));
    });

    it('every bad parameter is named', async () => {
      const fields = { [word]: '', website: 'x', status: 'foo', author: 'me', date: 'nope' };
      const said = await ground().refusal('admin', 'POST', `/${plural}`, fields);
      expect(said.split(' ').slice(2).sort()).toEqual(['author', 'date', 'status', 'website', word].sort());
    });

    it('W15: a name of which nothing is left', async () => {
      const { refusal, make } = ground();
      const { id } = await make();
      for (const name of [' \t ', '\\'])
        expect(await refusal('admin', 'POST', `/${plural}`, { [word]: name })).toBe(
          `400 could-not-create-${word}`,
        );
      expect(await refusal('admin', 'PUT', `/${plural}/${id}`, { [word]: '  ' })).toBe(
        `400 could-not-update-${word}`,
      );
    });

    it('W15: a name that is too long as it would be stored', async () => {
      const said = await ground().refusal('author', 'POST', `/${plural}`, { [word]: '&'.repeat(60_000) });
      expect(said).toBe(`400 rest_invalid_param ${word}`);
    });

    it('a picture by URL from somebody who may not upload', async () => {
      const fields = { [word]: unused(), image: 'https://example.org/a.jpg' };
      expect(await ground().refusal('contributor', 'POST', `/${plural}`, fields)).toBe(
        '400 rest_invalid_param image',
      );
    });

    it('a body that is no JSON', async () => {
      const { app } = ground();
      const answer = await fetch(`${app.url}/cal/events/v1/${plural}/9`, {
        method: 'DELETE',
        headers: { 'Content-Type': 'application/json' },
        body: '{',
      });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: 'rest_invalid_json' });
    });
  });
}
