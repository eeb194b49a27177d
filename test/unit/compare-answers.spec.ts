import { compare } from '../../src/cli/verify/compare.js';
import { causeOf } from '../../src/cli/verify/difference.js';
import { Findings, findingOf } from '../../src/cli/verify/findings.js';
import { knownAs } from '../../src/cli/verify/known-differences.js';
import { Places } from '../../src/cli/verify/places.js';
import { toParsedResponse } from '../../src/cli/verify/raw-response.js';
import { linesOf, reportOf } from '../../src/cli/verify/report.js';

const answer = (status: number, body: object) =>
  toParsedResponse(status, new Headers({ 'content-type': 'application/json' }), JSON.stringify(body));
const rejection = (message: string, name = 'page') => ({
  code: 'rest_invalid_param',
  message,
  data: { status: 400, params: { [name]: message } },
});

describe('a comparison of two responses', () => {
  const places = new Places();
  const causes = (path: string, old: ReturnType<typeof answer>, now: ReturnType<typeof answer>) =>
    compare({ path }, old, now, places).differences.map(
      (one) => knownAs(one, { ask: { path }, old, now, isSignedIn: false }) ?? causeOf(one),
    );

  it('ignores the message of an error inside an envelope', () => {
    const wrapped = (message: string) => answer(200, { body: rejection(message), status: 400, headers: [] });
    expect(causes('/events?page=x&_envelope=1', wrapped('One.'), wrapped('Another.'))).toEqual(['messages']);
  });

  it('compares the status, headers and records inside an envelope', () => {
    const wrapped = (status: number, total: number) =>
      answer(200, { body: { events: [], total }, status, headers: { 'X-TEC-Total': total } });
    expect(causes('/events?_envelope', wrapped(200, 1), wrapped(200, 2))).toEqual([
      'events list · total: another number',
    ]);
    expect(causes('/events?_envelope', wrapped(200, 1), wrapped(404, 1))).toEqual([
      'events list: another status, 404 in place of 200',
    ]);
  });

  it('reports code and parameters where the status differs', () => {
    expect(causes('/events?page=x', answer(200, { events: [] }), answer(400, rejection('No.')))).toEqual([
      'events list: another status, 400 rest_invalid_param (page) in place of 200',
    ]);
  });

  it('reports no readiness where nothing was compared', () => {
    const findings = new Findings();
    findings.unanswered({ path: '/events' }, '500');
    const report = reportOf('almanac verify', { against: 'https://old.example' }, '', true, findings);
    expect(linesOf(report).at(-1)).toBe('Readiness: unknown, as nothing was compared.');
  });

  it('shortens long values for the report', () => {
    const [difference] = compare(
      { path: '/tags/1' },
      answer(200, { id: 1, name: 'a'.repeat(5000) }),
      answer(200, { id: 1, name: 'b' }),
      places,
    ).differences;
    if (!difference) throw new Error('there is no difference');
    expect(findingOf(difference).old.length).toBeLessThan(300);
  });
});
