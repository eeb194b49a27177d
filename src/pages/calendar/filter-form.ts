import { type Html, html } from '../../lib/html.js';
import type { Texts } from '../texts/calendar-en.js';
import { fill } from '../texts/fill.js';
import { chosenZone, type FilterName, isFiltered } from './calendar-query.js';
import type { PageContext } from './event-html.js';

/** Choices of the filters: URL values with their labels. */
export type Choices = Readonly<Record<Exclude<FilterName, 'search'>, ReadonlyMap<string, string>>>;

/** The filters as a plain form, which works without scripts. */
export function filterForm(page: PageContext, choices: Choices): Html {
  const { query, language, here, zone } = page;
  const { texts } = language;
  const { filters } = query;
  const clock = chosenZone(query, page);
  const zones = [
    ['event', texts.zoneEvent],
    ['site', fill(texts.zoneSite, { zone: zone.replaceAll('_', ' ') })],
  ] as const;
  return html`<form id="filters" method="get" action="${here}" role="search">
${query.embed && html`<input type="hidden" name="embed" value="1">`}
${query.view !== undefined && html`<input type="hidden" name="view" value="${query.view}">`}
<label class="wide"><span>${texts.search}</span><input type="search" name="search" data-key="/" maxlength="200" value="${filters.search}"></label>
${Object.entries(choices).map(([name, values]) => select(name as keyof Choices, values, filters, texts))}
<label class="unscripted"><span>${texts.date}</span><input type="date" name="date" value="${query.date}"></label>
<label class="wide"><span>${texts.zone}</span><select name="zone">${zones.map(
    ([value, text]) => html`<option value="${value}"${value === clock && ' selected'}>${text}</option>`,
  )}</select></label>
<p class="buttons"><button class="unscripted">${texts.apply}</button> <a id="reset" href="${here}${
    query.embed && '?embed=1'
  }"${!isFiltered(filters) && ' hidden'}>${texts.reset}</a></p>
</form>
`;
}

function select(
  name: keyof Choices,
  values: ReadonlyMap<string, string>,
  filters: Partial<Record<FilterName, string>>,
  texts: Texts,
): Html | undefined {
  const chosen = filters[name];
  // A value outside the first hundred choices is shown as it is.
  const all = chosen === undefined || values.has(chosen) ? values : new Map([...values, [chosen, chosen]]);
  if (all.size === 0) return undefined;
  return html`<label><span>${texts[name]}</span><select name="${name}"><option value="">${texts.all}</option>${[
    ...all,
  ].map(
    ([value, text]) => html`<option value="${value}"${value === chosen && ' selected'}>${text}</option>`,
  )}</select></label>
`;
}
