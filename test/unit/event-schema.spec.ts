import { eventSchema } from '../../src/pages/calendar/event-schema.js';
import type { EventJson } from '../../src/resources/events/event-json.js';
import type { CancelledState } from '../../src/resources/events/event-states.js';

const EVENT = {
  id: 5,
  title: 'Fair',
  description: '',
  excerpt: '',
  url: 'https://example.org/event/fair/',
  website: '',
  image: false,
  all_day: false,
  start_date: '2027-05-18 10:00:00',
  end_date: '2027-05-18 12:00:00',
  utc_start_date: '2027-05-18 08:00:00',
  utc_end_date: '2027-05-18 10:00:00',
  timezone: 'Europe/Berlin',
  venue: [],
  organizer: [],
};

/** A site without currency, and events that are neither cancelled nor at a venue. */
const SITE = { currency: {}, cancelled: new Map(), withVenue: new Set<number>() };

/** The offer of an event whose price is written with a symbol. */
const offerOf = (symbol: string, site: { symbol?: string; code?: string } = {}) => {
  const cost_details = { values: ['5'], currency_symbol: symbol, currency_code: '' };
  const schema = eventSchema({ ...EVENT, cost_details } as unknown as EventJson, { ...SITE, currency: site });
  return (schema as { offers?: { priceCurrency?: string } }).offers?.priceCurrency;
};

describe('the schema.org data of an event', () => {
  it.each([
    ['£', 'GBP'],
    ['$', 'USD'],
    ['¥', 'JPY'],
    ['€', 'EUR'],
  ])('names the currency of %s', (symbol, code) => {
    expect(offerOf(symbol)).toBe(code);
  });

  it('prefers the code of the site for its symbol, and omits an offer without a currency', () => {
    expect(offerOf('$', { symbol: '$', code: 'CAD' })).toBe('CAD');
    expect(offerOf('', { symbol: '$', code: 'CAD' })).toBe('CAD');
    expect(offerOf('kr')).toBeUndefined();
  });

  it('has no location without a venue or a website, and none that a password hides', () => {
    const cost_details = { values: [], currency_symbol: '', currency_code: '' };
    const locationOf = (more: object) =>
      eventSchema({ ...EVENT, cost_details, ...more } as unknown as EventJson, SITE);
    expect(locationOf({})).not.toHaveProperty('location');
    expect(locationOf({ website: EVENT.url })).not.toHaveProperty('location');
    expect(
      locationOf({ website: 'https://meet.example.org/', venue: [{ id: 7, venue: [] }] }),
    ).not.toHaveProperty('location');
    expect(locationOf({ website: 'https://meet.example.org/' })).toHaveProperty(
      'location.@type',
      'VirtualLocation',
    );
  });

  it('names the status, and whether people attend in person or online', () => {
    const cost_details = { values: ['5'], currency_symbol: '€', currency_code: '' };
    const online = { ...EVENT, cost_details, website: 'https://meet.example.org/' } as unknown as EventJson;
    const there = { ...EVENT, cost_details } as unknown as EventJson;
    const off = (status: CancelledState) => ({ ...SITE, cancelled: new Map([[EVENT.id, status]]) });
    const schema = (status: string, mode: string) => ({
      eventStatus: `https://schema.org/${status}`,
      eventAttendanceMode: `https://schema.org/${mode}EventAttendanceMode`,
      startDate: '2027-05-18T10:00:00+02:00',
      endDate: '2027-05-18T12:00:00+02:00',
    });
    expect(eventSchema(online, SITE)).toMatchObject(schema('EventScheduled', 'Online'));
    expect(eventSchema(there, off('postponed'))).toMatchObject(schema('EventPostponed', 'Offline'));
    const canceled = eventSchema(there, off('canceled'));
    expect(canceled).toMatchObject({ ...schema('EventCancelled', 'Offline'), offers: { price: 5 } });
    expect(canceled).not.toHaveProperty('offers.availability');
  });

  it('has no text that is empty, and the address of a venue that has only a name is the name', () => {
    const cost_details = { values: [], currency_symbol: '', currency_code: '' };
    const venue = { id: 7, venue: 'Hall', address: '', city: '', stateprovince: '', zip: '', country: '' };
    const schema = eventSchema({ ...EVENT, cost_details, venue } as unknown as EventJson, SITE);
    expect(schema).toHaveProperty('location', { '@type': 'Place', name: 'Hall', address: 'Hall' });
    expect(JSON.stringify(schema)).not.toMatch(/:(""|null|\{\}|\[\])/);
  });
});
