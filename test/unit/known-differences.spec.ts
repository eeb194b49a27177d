import { compare } from '../../src/cli/verify/compare.js';
import { knownAs } from '../../src/cli/verify/known-differences.js';
import { Places } from '../../src/cli/verify/places.js';
import { toParsedResponse } from '../../src/cli/verify/raw-response.js';

const HOME = 'https://example.org';
const PLACES = new Places({ api: `${HOME}/wp-json/tribe/events/v1`, root: `${HOME}/wp-json`, home: HOME });
const json = (status: number, body: object) =>
  toParsedResponse(status, new Headers({ 'content-type': 'application/json' }), JSON.stringify(body));

/** What is said of a 400 that names these parameters, where the old server showed events of linked records. */
function known(path: string, linked: object, ...params: string[]) {
  const ask = { path };
  const old = json(200, { events: [{ id: 1, ...linked }], total: 1 });
  const rejection = { status: 400, params: Object.fromEntries(params.map((name) => [name, 'Invalid.'])) };
  const now = json(400, { code: 'rest_invalid_param', message: 'No.', data: rejection });
  const { differences } = compare(ask, old, now, PLACES);
  expect(differences).toHaveLength(1);
  return differences.map((one) => knownAs(one, { ask, old, now, isSignedIn: false }))[0];
}

describe('a rejected filter by a record', () => {
  const hidden = { venue: { id: 9, status: 'private' } };
  const open = { venue: { id: 9, status: 'publish' }, organizer: [{ id: 35, status: 'publish' }] };

  it('is intended where the user may not read the record, or nothing shows that they may', () => {
    expect(known('/events?venue=9', hidden, 'venue')).toBe('R13');
    expect(known('/events?venue=9,10', open, 'venue')).toBe('R13');
    expect(known('/events?venue=9&organizer=36', open, 'organizer')).toBe('R13');
    expect(known('/events?post_parent=3', open, 'post_parent')).toBe('R13');
  });

  it('is an error of Almanac where the old response shows the record as published', () => {
    expect(known('/events?venue=9', open, 'venue')).toBeUndefined();
    expect(known('/events?organizer=35', open, 'organizer')).toBeUndefined();
  });
});

describe('a list sorted by orderby or order', () => {
  const said = (path: string) => {
    const venues = [1, 2].map((id) => ({ id, venue: `Hall ${id}`, date: `2026-01-0${id} 10:00:00` }));
    const ask = { path };
    const [old, now] = [venues, venues.toReversed()].map((list) => json(200, { venues: list, total: 2 }));
    if (!old || !now) throw new Error('there are two answers');
    const { differences } = compare(ask, old, now, PLACES);
    return differences.map((one) => knownAs(one, { ask, old, now, isSignedIn: false }));
  };

  it('differs intentionally only where the request has an order', () => {
    expect(said('/venues?orderby=title')).toEqual(['R20']);
    expect(said('/venues?order=ASC')).toEqual(['R20']);
    expect(said('/venues')).toEqual([undefined]);
  });
});
