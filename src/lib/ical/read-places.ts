import type ICAL from 'ical.js';
import { cut } from '../safe-text.js';
import { isEmail } from '../wordpress-text/formatting/sanitize.js';
import type { ParsedComponent } from './parse-component.js';
import { asWebsite, wordsOf } from './read-texts.js';

type Texts = Record<string, string>;

/** The venues of an event as inline data, or a URL given as the location. */
export function readPlaces(parsed: ParsedComponent): { places?: Texts[]; address?: string } {
  const properties = all(parsed.component, 'location', 'x-almanac-location');
  const [first] = properties.map(wordsOf);
  if (first !== undefined && /^https?:\/\/\S+$/.test(first.trim())) return { address: first.trim() };
  const places = properties.map((property) => placeOf(property, parsed)).filter(({ venue }) => venue !== '');
  return places.length > 0 ? { places } : {};
}

/** The organizers of an event as inline data; undefined where none has a name. */
export function readPeople(parsed: ParsedComponent): Texts[] | undefined {
  const people = all(parsed.component, 'organizer', 'x-almanac-organizer').flatMap((property): Texts[] => {
    const [, address = ''] = /^mailto:(.*)$/i.exec(wordsOf(property)) ?? [];
    const email = decoded(address);
    const organizer = parameter(property, 'cn') ?? email;
    if (organizer === '') return [];
    const person = filled({
      organizer,
      email: isEmail(email) ? email : undefined,
      phone: parameter(property, 'x-phone'),
      website: websiteOf(property, parsed),
    });
    return [person];
  });
  return people.length > 0 ? people : undefined;
}

/** Reads a venue from the parameters that Almanac writes, else as a name with an address after the first comma or line break. */
function placeOf(property: ICAL.Property, parsed: ParsedComponent): Texts {
  const name = parameter(property, 'x-name');
  if (name !== undefined)
    return filled({
      venue: name,
      ...Object.fromEntries(PARTS.map((part) => [part, parameter(property, `x-${part}`)])),
      website: websiteOf(property, parsed),
    });
  const text = wordsOf(property).trim();
  const end = text.search(/[,\n]/);
  if (end === -1) return { venue: text };
  const rest = text.slice(end + 1).split('\n');
  const address = rest
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(', ');
  return filled({ venue: text.slice(0, end).trim(), address });
}

const PARTS = ['address', 'city', 'state', 'province', 'zip', 'country', 'phone'];

function websiteOf(property: ICAL.Property, { losses, lineOf }: ParsedComponent): string | undefined {
  const text = parameter(property, 'x-website');
  const website = text === undefined ? undefined : asWebsite(text);
  if (text !== undefined && website === undefined)
    losses.add(lineOf(property), 'X-WEBSITE', `"${cut(text, 80)}" is no address`);
  return website;
}

function filled(texts: Readonly<Record<string, string | undefined>>): Texts {
  return Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text ? [[name, text]] : [])));
}

function all(component: ICAL.Component, ...names: string[]): ICAL.Property[] {
  return names.flatMap((name) => component.getAllProperties(name));
}

function parameter(property: ICAL.Property, name: string): string | undefined {
  const value = property.getFirstParameter(name)?.trim();
  return value === '' ? undefined : value;
}

function decoded(address: string): string {
  try {
    return decodeURI(address.split('?', 1)[0] ?? '');
  } catch {
    return address;
  }
}
