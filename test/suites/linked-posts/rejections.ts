import { grouped } from '../../support/groups.js';
import { type LinkedPostFixture, type LinkedPostResource, unused } from '../../support/linked-post-site.js';

type Fields = Record<string, unknown>;

/** Writes of venues and organizers that are rejected and store nothing. */
export function declareRejections(
  fixture: () => LinkedPostFixture,
  { plural, word, texts }: LinkedPostResource,
): void {
  describe('rejected writes', () => {
    it('a create without a name returns 400', async () => {
      const { refusal: rejection } = fixture();
      expect(await rejection('admin', 'POST', `/${plural}`, {})).toBe(
        `400 rest_missing_callback_param ${word}`,
      );
      expect(await rejection('anonymous', 'POST', `/${plural}`, { [word]: null })).toBe(
        `400 rest_missing_callback_param ${word}`,
      );
    });

    const invalidFields: [string, Fields, string][] = [
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
      ['invalid date', { date: 'nope' }, 'date'],
      ['empty date', { date: '' }, 'date'],
      ['date as a number', { date: 1_700_000_000 }, 'date'],
      ['date with a fraction', { date: '1.5' }, 'date'],
      ['date with an exponent', { date: '1e3' }, 'date'],
      ['date out of range', { date: '99999999999999' }, 'date'],
      ['invalid UTC date', { date_utc: 'nope' }, 'date_utc'],
      ...['', 'any', 'foo', 'trash', 'inherit', 'auto-draft', 'tribe-ignored', 'request-pending'].map(
        (status): [string, Fields, string] => [`W8: status ${status}`, { status }, 'status'],
      ),
      ['W18: status as a list', { status: ['publish'] }, 'status'],
      ['unknown image', { image: '9999999' }, 'image'],
      ['image that is an event', { image: '53' }, 'image'],
      ['image as a word', { image: 'x' }, 'image'],
      ['image as a number', { image: 5 }, 'image'],
      ['image URL that cannot be imported', { image: 'https://example.org/a.jpg' }, 'image'],
    ];
    it.each(grouped(invalidFields, ([, , param]) => param))(
      'an invalid %s returns 400 and writes nothing',
      async (param, rows) => {
        const { refusal: rejection, make, unchanged } = fixture();
        const { id } = await make();
        const responses: Record<string, string[]> = {};
        await unchanged(async () => {
          for (const [name, fields] of rows)
            responses[name] = [
              await rejection('admin', 'POST', `/${plural}`, { [word]: unused(), ...fields }),
              await rejection('admin', 'PATCH', `/${plural}/${id}`, fields),
              // Parameters are validated before permissions.
              await rejection('anonymous', 'POST', `/${plural}`, { [word]: unused(), ...fields }),
            ];
        });
        const rejected = Array(3).fill(`400 rest_invalid_param ${param}`);
        expect(responses).toEqual(Object.fromEntries(rows.map(([name]) => [name, rejected])));
      },
    );

    it('every invalid parameter is named', async () => {
      const fields = { [word]: '', website: 'x', status: 'foo', author: 'me', date: 'nope' };
      const responses = await fixture().refusal('admin', 'POST', `/${plural}`, fields);
      expect(responses.split(' ').slice(2).sort()).toEqual(
        ['author', 'date', 'status', 'website', word].sort(),
      );
    });

    it('W15: a name that is empty when sanitized returns 400', async () => {
      const { refusal: rejection, make } = fixture();
      const { id } = await make();
      for (const name of [' \t ', '\\'])
        expect(await rejection('admin', 'POST', `/${plural}`, { [word]: name })).toBe(
          `400 could-not-create-${word}`,
        );
      expect(await rejection('admin', 'PUT', `/${plural}/${id}`, { [word]: '  ' })).toBe(
        `400 could-not-update-${word}`,
      );
    });

    it('W15: a name that is too long when sanitized returns 400', async () => {
      const responses = await fixture().refusal('author', 'POST', `/${plural}`, {
        [word]: '&'.repeat(60_000),
      });
      expect(responses).toBe(`400 rest_invalid_param ${word}`);
    });

    it('an image URL from a caller without upload_files returns 400', async () => {
      const fields = { [word]: unused(), image: 'https://example.org/a.jpg' };
      expect(await fixture().refusal('contributor', 'POST', `/${plural}`, fields)).toBe(
        '400 rest_invalid_param image',
      );
    });

    it('a body of invalid JSON returns 400', async () => {
      const { app } = fixture();
      const response = await fetch(`${app.url}/cal/events/v1/${plural}/9`, {
        method: 'DELETE',
        headers: { 'Content-Type': 'application/json' },
        body: '{',
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'rest_invalid_json' });
    });
  });
}
