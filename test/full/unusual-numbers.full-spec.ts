import { credentials } from '../support/calendar-client.js';
import type { RawAnswer, RawRequest } from '../support/raw-request.js';
import { describeDatabases } from '../support/sites.js';
import { expectAnswers, type LoggedServer, startLoggedServer } from '../support/valid-responses.js';

const LISTS = ['events', 'venues', 'organizers', 'categories', 'tags'] as const;

/** Numbers out of range, non-integers, and non-numbers. */
const ODD_NUMBERS = [
  ...['9223372036854775807', '-9223372036854775808', '18446744073709551616', '99999999999999999999999'],
  ...['4611686018427387904', '9007199254740993', '1e22', '1e308', '-1e308', '1e400', '1.5', '-1', '0', ''],
  ...['NaN', '0x10', '%00', '2,1e300'],
];
const NUMBERS = ['page', 'per_page', 'offset', 'number', 'include', 'exclude', 'parent', 'post', 'event'];

/** An unusual number in a query or body, by parameter and list. */
function unusualNumbers(list: string, name: string): RawRequest[] {
  const path = `/cal/events/v1/${list}`;
  const headers = { ...credentials('editor'), 'Content-Type': 'application/json' };
  const asJson = (value: string) => (/^-?\d+(\.\d+|e\d+)?$/.test(value) ? value : JSON.stringify([value]));
  return ODD_NUMBERS.flatMap((value) => [
    ...['', '[]', '[x]', '[x][y]'].map((keys) => ({ path: `${path}?${name}${keys}=${value}` })),
    { path, headers, body: `{"${name}":${asJson(value)}}` },
  ]);
}

/** Numbers invalid in every list: each is rejected by parameter name, or accepted; none is a server error. */
describeDatabases('unusual numbers', (database) => {
  let server: LoggedServer;

  beforeAll(async () => {
    server = await startLoggedServer(database);
  });
  afterAll(() => server?.close());

  describe.each(LISTS)('of %s', (list) => {
    it.each(NUMBERS)('%s', (name) => {
      const rejection = `400 rest_invalid_param ${name}`;
      const right = list === 'tags' ? [rejection, '200'] : [rejection, '200', '404'];
      const fault = (_request: RawRequest, answer: RawAnswer) => {
        const said = brief(answer);
        return right.includes(said) ? undefined : said;
      };
      return expectAnswers(server, unusualNumbers(list, name), fault);
    });
  });
});

/** The status, and the error of a rejection. */
function brief({ status, text }: RawAnswer): string {
  const { code, data }: { code?: string; data?: { params?: object } } = JSON.parse(text);
  return status === 400 ? [status, code, ...Object.keys(data?.params ?? {})].join(' ') : String(status);
}
