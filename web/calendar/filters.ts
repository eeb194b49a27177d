import {
  type CalendarQuery,
  chosenZone,
  FILTERS,
  type FilterName,
} from '../../src/pages/calendar/calendar-query.js';
import type { ScriptSettings } from '../../src/pages/calendar/script-settings.js';
import { fill } from '../../src/pages/texts/fill.js';
import { element } from './page.js';
import { OWN_ZONE } from './zone.js';

const TYPING = 350;
const form = () => element<HTMLFormElement>('filters');
const field = (name: string) =>
  form().elements.namedItem(name) as HTMLInputElement | HTMLSelectElement | null;

/** What the form says. */
export function readFilters(settings: ScriptSettings): Pick<CalendarQuery, 'filters' | 'zone'> {
  const said = Object.keys(FILTERS).flatMap((name) => {
    const value = field(name)?.value.trim();
    return value ? [[name as FilterName, value] as const] : [];
  });
  const zone = field('zone')?.value as CalendarQuery['zone'];
  const usual = chosenZone({ filters: {}, page: 1, embed: false }, settings);
  return { filters: Object.fromEntries(said), zone: zone === usual ? undefined : zone };
}

/** Makes the form say what the address does. */
export function showFilters(query: CalendarQuery, settings: ScriptSettings): void {
  const zones = field('zone') as HTMLSelectElement;
  if (![...zones.options].some(({ value }) => value === 'local'))
    zones.add(new Option(fill(settings.texts.zoneLocal, { zone: OWN_ZONE.replaceAll('_', ' ') }), 'local'));
  zones.value = chosenZone(query, settings);
  for (const name of Object.keys(FILTERS) as FilterName[]) {
    const input = field(name);
    const value = query.filters[name] ?? '';
    // Not while the user types into it.
    if (input && input.value.trim() !== value) choose(input, value);
  }
  element('reset').hidden = Object.keys(query.filters).length === 0;
}

/** Tells of each change: words are typed letter by letter, and sent by the key Enter. */
export function watchFilters(changed: (how: 'typed' | 'sent' | 'chosen') => void): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const now = (how: 'typed' | 'sent' | 'chosen') => {
    clearTimeout(waiting);
    changed(how);
  };
  form().addEventListener('submit', (submit) => {
    submit.preventDefault();
    now('sent');
  });
  form().addEventListener('input', ({ target }) => {
    if ((target as HTMLInputElement).type !== 'search') return now('chosen');
    clearTimeout(waiting);
    waiting = setTimeout(() => now('typed'), TYPING);
  });
}

function choose(input: HTMLInputElement | HTMLSelectElement, value: string): void {
  if (input instanceof HTMLSelectElement && ![...input.options].some((option) => option.value === value))
    input.add(new Option(value, value));
  input.value = value;
}
