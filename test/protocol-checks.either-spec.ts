import { startApp, type TestApp } from './support/app.js';
import { type Ask, askOf } from './support/protocol-client.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const BASE = '/cal/events/v1';

const statusAndCode = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body['code'],
];

describeEither('request validation', (database) => {
  let site: Site;
  let app: TestApp;
  let ask: Ask;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, env: { RATE_LIMIT: 'off' } });
    ask = askOf(app.url);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const count = async (table: string) => {
    const [row] = await app.dataSource.query(`SELECT COUNT(*) AS n FROM wp_${table}`);
    return Number(row.n);
  };

  describe('order of checks', () => {
    const post = (json: unknown, as?: 'editor' | 'subscriber') =>
      ask(`${BASE}/events`, { method: 'POST', json, as });
    const dates = { start_date: '2091-04-01 10:00', end_date: '2091-04-01 12:00' };

    it('tests route, required fields, validators, types and rights in this order and writes nothing', async () => {
      const before = await count('posts');
      const params = async (json: unknown) =>
        (await post(json)).body as { code: string; data: { params: unknown } };
      expect(
        statusAndCode(
          await ask(`${BASE}/nope`, {
            method: 'POST',
            body: '{',
            headers: { 'Content-Type': 'application/json' },
          }),
        ),
      ).toEqual([404, 'rest_no_route']);
      expect(await params({ title: null, author: 'x', all_day: 'x' })).toMatchObject({
        code: 'rest_missing_callback_param',
        data: { status: 400, params: ['title', 'start_date', 'end_date'] },
      });
      const checks = await params({
        title: 'x',
        ...dates,
        sticky: null,
        venue: 'x',
        author: 'x',
        status: 'x',
      });
      expect(Object.keys(checks.data.params as object)).toEqual(['author', 'status', 'venue']);
      expect(checks.data).toMatchObject({ status: 400, details: [] });
      expect(await params({ title: 'x', ...dates, sticky: null, all_day: 2 })).toMatchObject({
        code: 'rest_invalid_param',
        data: {
          params: { all_day: expect.any(String), sticky: expect.any(String) },
          details: {
            sticky: { code: 'rest_invalid_type', message: expect.any(String), data: { param: 'sticky' } },
          },
        },
      });
      expect(statusAndCode(await post({ title: 'x', ...dates }))).toEqual([401, 'rest_forbidden']);
      expect(statusAndCode(await post({ title: 'x', ...dates }, 'subscriber'))).toEqual([
        403,
        'rest_forbidden',
      ]);
      expect(await count('posts')).toBe(before);
    });

    it.each([true, false, 0, 1, '0', '1', 'true', 'FALSE', 'True'])(
      'accepts %j as a boolean',
      async (sticky) => {
        expect((await post({ title: 'x', ...dates, sticky })).status).toBe(401);
      },
    );
    it.each(['', 'yes', 'on', 2, -1, 'null', [], {}])(
      'rejects %j as a boolean with 400 rest_invalid_param',
      async (sticky) => {
        expect(statusAndCode(await post({ title: 'x', ...dates, sticky }))).toEqual([
          400,
          'rest_invalid_param',
        ]);
      },
    );

    it('rejects invalid JSON with 400 rest_invalid_json on a known route', async () => {
      const broken = { body: '{bad', headers: { 'Content-Type': 'application/json' } };
      for (const method of ['POST', 'GET']) {
        const response = await ask(`${BASE}/events`, { method, as: 'editor', ...broken });
        expect(statusAndCode(response)).toEqual([400, 'rest_invalid_json']);
        expect(response.body['data']).toEqual({
          status: 400,
          json_error_code: 4,
          json_error_message: 'Syntax error',
        });
        expect(response.headers['allow']).toBe('GET, POST');
      }
    });
  });
});
