import { startTestServer, type TestServer } from 'almanac/testing';
import ReportsModule from '../src/reports.module.js';

const JANUARY = '/reports/events.csv?from=2030-01-01&to=2030-01-31';

describe('the report of events', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ plugins: [ReportsModule] });
    const events = [
      { title: 'Concert, live', start_date: '2030-01-20 20:00:00', end_date: '2030-01-20 22:00:00' },
      { title: '=1+1', start_date: '2030-01-21 09:00:00', end_date: '2030-01-21 10:00:00' },
      { title: 'Later', start_date: '2030-02-20 20:00:00', end_date: '2030-02-20 22:00:00' },
    ];
    for (const event of events)
      expect((await server.asAdmin().post('/cal/events/v1/events', event)).status).toBe(201);
  });
  afterAll(() => server?.close());

  it('is a CSV file of the events between two days', async () => {
    const { status, headers, body } = await server.asAdmin().get<string>(JANUARY);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers.get('content-disposition')).toBe('attachment; filename="events.csv"');
    const [head, ...lines] = body.split('\r\n');
    expect(head).toBe('"id","title","start_date","end_date","timezone","status","url"');
    expect(lines).toEqual([
      expect.stringContaining(
        '"Concert, live","2030-01-20 20:00:00","2030-01-20 22:00:00","UTC+0","publish"',
      ),
      expect.stringContaining(`"'=1+1","2030-01-21 09:00:00"`),
      '',
    ]);
  });

  it('rejects an invalid day with 400 and names the parameter', async () => {
    const response = await server.asAdmin().get('/reports/events.csv?from=2030-01-01&to=soon');
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'rest_bad_request', message: 'to must be a day such as 2030-01-31.' },
    });
  });

  it('rejects anonymous users with 401 reports_forbidden', async () => {
    expect(await server.get(JANUARY)).toMatchObject({ status: 401, body: { code: 'reports_forbidden' } });
  });
});
