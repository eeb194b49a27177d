/** Finds what is wrong with a value; undefined if nothing is. */
type Rule = (value: unknown) => string | undefined;

interface Type {
  /** The properties that schema.org declares on the type or one above it and that the pages use, with their rules. */
  properties: Readonly<Record<string, Rule>>;
  required: readonly string[];
}

const SCHEMA = 'https://schema.org/';
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

const text: Rule = (value) => {
  if (typeof value !== 'string' || value.trim() === '') return 'is no text';
  if (value !== value.trim()) return 'has blanks around it';
  return undefined;
};

const url: Rule = (value) =>
  typeof value === 'string' && /^https?:\/\/[^/\s]/.test(value) && URL.canParse(value)
    ? undefined
    : 'is no absolute URL';

/** A day, or a time with its offset from UTC, of ISO 8601. */
const date: Rule = (value) => {
  const form = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d[+-]\d\d:\d\d)?$/;
  return typeof value === 'string' && form.test(value) && !Number.isNaN(Date.parse(value))
    ? undefined
    : 'is no day and no time with an offset';
};

const oneOf =
  (...names: readonly string[]): Rule =>
  (value) =>
    names.some((name) => value === SCHEMA + name) ? undefined : `is none of ${names.join(', ')}`;

const number =
  (least: number, most = Number.MAX_VALUE): Rule =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most ? undefined : 'is no number in its range';

const currency: Rule = (value) =>
  CURRENCIES.has(String(value)) ? undefined : 'is no currency code of ISO 4217';

const anyOf =
  (...rules: readonly Rule[]): Rule =>
  (value) => {
    const faults = rules.map((rule) => rule(value));
    return faults.includes(undefined) ? undefined : faults.join(', ');
  };

/** One value or a list of them that is not empty. */
const some =
  (rule: Rule): Rule =>
  (value) => {
    if (!Array.isArray(value)) return rule(value);
    return value.length === 0 ? 'is empty' : value.map(rule).find(Boolean);
  };

/** An object of one of these types. */
const of =
  (...names: readonly string[]): Rule =>
  (value) => {
    const type = (value as { '@type'?: unknown } | null)?.['@type'];
    if (!names.includes(String(type))) return `is no ${names.join(' or ')}`;
    return faultsOf(value as Properties)[0];
  };

/** Things: https://schema.org/Thing. */
const THING = { name: text, description: text, url, image: some(url) };

const ADDRESS = ['streetAddress', 'addressLocality', 'addressRegion', 'postalCode', 'addressCountry'];

/**
 * The types of the pages, by https://schema.org and by
 * https://developers.google.com/search/docs/appearance/structured-data/event, which requires what is required here.
 */
const TYPES: Readonly<Record<string, Type>> = {
  Event: {
    required: ['name', 'startDate', 'location'],
    properties: {
      ...THING,
      startDate: date,
      endDate: date,
      eventStatus: oneOf('EventScheduled', 'EventCancelled', 'EventPostponed', 'EventRescheduled'),
      eventAttendanceMode: oneOf(
        'OfflineEventAttendanceMode',
        'OnlineEventAttendanceMode',
        'MixedEventAttendanceMode',
      ),
      location: some(of('Place', 'VirtualLocation')),
      organizer: some(of('Organization', 'Person')),
      performer: some(of('Organization', 'Person')),
      offers: some(of('Offer')),
    },
  },
  Place: {
    required: ['address'],
    properties: { ...THING, address: anyOf(text, of('PostalAddress')), geo: of('GeoCoordinates') },
  },
  PostalAddress: {
    required: [],
    properties: Object.fromEntries(ADDRESS.map((name) => [name, text])),
  },
  GeoCoordinates: {
    required: ['latitude', 'longitude'],
    properties: { latitude: number(-90, 90), longitude: number(-180, 180) },
  },
  VirtualLocation: { required: ['url'], properties: THING },
  Organization: { required: ['name'], properties: THING },
  Offer: {
    required: ['price', 'priceCurrency'],
    properties: {
      url,
      price: number(0),
      priceCurrency: currency,
      availability: oneOf('InStock', 'SoldOut', 'PreOrder'),
      validFrom: date,
    },
  },
};

/** The properties of an object in structured data. */
export type Properties = Readonly<Record<string, unknown>>;

/** What the published rules of search engines and schema.org reject in an object of structured data, with its context. */
export function structuredDataFaults({ '@context': context, ...object }: Properties): string[] {
  const faults = faultsOf(object);
  return context === 'https://schema.org' ? faults : ['@context is not that of schema.org', ...faults];
}

function faultsOf(object: Properties): string[] {
  const { '@type': name, ...values } = object;
  const type = TYPES[String(name)];
  if (!type) return [`${name} is no type of the pages`];
  const missing = type.required.filter((property) => values[property] === undefined);
  const wrong = Object.entries(values).flatMap(([property, value]) => {
    const rule = type.properties[property];
    const fault = rule ? rule(value) : 'is no property of the type';
    return fault === undefined ? [] : `${property} ${fault}: ${JSON.stringify(value)}`;
  });
  const faults = [...missing.map((property) => `${property} is missing`), ...wrong];
  return [...faults, ...(name === 'Event' ? eventFaults(values) : [])].map((fault) => `${name}: ${fault}`);
}

/** Rules about several properties of an event. */
function eventFaults({ startDate, endDate, eventAttendanceMode, location, eventStatus, offers }: Properties) {
  const faults: string[] = [];
  const places = [location ?? []].flat().map((place) => (place as Properties)['@type']);
  const isReal = places.includes('Place');
  const isVirtual = places.includes('VirtualLocation');
  const mode = isVirtual ? (isReal ? 'Mixed' : 'Online') : 'Offline';
  if (places.length > 0 && eventAttendanceMode !== `${SCHEMA}${mode}EventAttendanceMode`)
    faults.push(`eventAttendanceMode does not fit its location, which is ${mode}`);
  if (endDate !== undefined && Date.parse(String(endDate)) < Date.parse(String(startDate)))
    faults.push(`endDate is before startDate: ${endDate}`);
  if (endDate !== undefined && String(endDate).length !== String(startDate).length)
    faults.push('startDate and endDate are not both days or both times');
  const isOff = eventStatus !== `${SCHEMA}EventScheduled`;
  if (isOff && [offers ?? []].flat().some((offer) => 'availability' in (offer as object)))
    faults.push('offers are available of an event that does not take place');
  return faults;
}
