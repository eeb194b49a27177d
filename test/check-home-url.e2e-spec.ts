import { Logger } from '@nestjs/common';
import { checkHomeUrl } from '../src/setup/check-home-url.js';
import { startApp } from './support/app.js';
import { makeSite } from './support/sites.js';

describe('checkHomeUrl', () => {
  it.each([
    ['https://example.org/wp-json', 'https://example.org'],
    ['https://example.org/blog/wp-json', 'https://example.org/blog'],
    ['http://localhost:3000', 'http://localhost:3000/'],
  ])('accepts REST_BASE_URL %s with home %s', (rest, home) =>
    expect(checkHomeUrl(rest, home)).toBeUndefined(),
  );

  it.each([
    [
      'http://localhost:3000',
      'https://example.org/blog',
      'almanac site set home http://localhost:3000/blog',
      'REST_BASE_URL=https://example.org.',
    ],
    [
      'https://example.org/wp-json/',
      'http://example.org',
      'almanac site set home https://example.org',
      'REST_BASE_URL=http://example.org/wp-json.',
    ],
    ['https://example.org/wp-json', 'example', 'almanac site set home https://example.org', '"example"'],
  ])('reports that REST_BASE_URL %s and home %s differ, with the fix', (rest, home, ...hints) => {
    for (const part of hints) expect(checkHomeUrl(rest, home)).toContain(part);
  });

  it('warns once at start, only when the URLs differ', async () => {
    const site = await makeSite('SQLite');
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    try {
      for (const [url, times] of [
        ['http://calendar.example.org/wp-json', 0],
        ['http://localhost:3000', 1],
      ] as const) {
        const app = await startApp({ databaseUrl: site.url, env: { REST_BASE_URL: url } });
        await app.close();
        const hints = warn.mock.calls.filter(([line]) => String(line).includes('almanac site set home'));
        expect([url, hints.length]).toEqual([url, times]);
      }
    } finally {
      warn.mockRestore();
      await site.drop();
    }
  });
});
