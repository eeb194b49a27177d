import { type Html, html } from '../../../lib/html.js';
import { webAddress } from '../../../lib/wordpress-text/formatting/web-address.js';
import { venuesOf } from '../../../resources/events/event-entry.js';
import type { EventJson } from '../../../resources/events/event-json.js';
import {
  addingLinks,
  altOf,
  callOff,
  chip,
  costAndWebsite,
  eventSummary,
  hueOf,
  organizerRow,
  timeElement,
  titleOf,
  venueOnMap,
  venueRow,
} from '../../calendar/event-html.js';
import { eventSchema } from '../../calendar/event-schema.js';
import { imageOf, safeDescription } from '../../calendar/event-texts.js';
import { dateLinks, recurrenceRow } from '../../calendar/recurrence-html.js';
import { layout } from './layout.js';
import type { EventView, PublicPage } from './page-views.js';
import { placeLines } from './place-lines.js';

export function eventTemplate(page: PublicPage, view: EventView): Html {
  const { event } = view;
  const { texts } = page.language;
  const isProtected = event.all_day === null;
  const image = imageOf(event);
  const description = safeDescription(event.description, page);
  const file = `${page.api}/events/${event.id}.ics`;
  const head = {
    title: titleOf(event),
    description: eventSummary(event, page),
    canonical: webAddress(event.url),
    isUnlisted: isProtected,
    image,
    schema: isProtected ? undefined : eventSchema(event, page),
    calendarFile: isProtected ? undefined : file,
  };
  return layout(
    page,
    head,
    html`<article class="event ${hueOf(event)}" id="event">
<p class="terms">${event.categories.map((term) => chip(term, 'category', page))}${event.tags.map((term) => chip(term, 'tag', page))}</p>
<h1>${titleOf(event)}</h1>
${callOff(event, page)}${image !== undefined && html`<img src="${image}" alt="${altOf(event, page)}">`}
<dl>
<div><dt>${texts.when}</dt><dd>${timeElement(event, page, true)}</dd></div>
${recurrenceRow(event, page.language, page.style.hour12)}${venuesOf(event).map((venue) => {
  const place = placeLines(page, venue, venueOnMap(event, venue, view.positions));
  return venueRow(venue, page.localUrl(venue.url), place, page);
})}
${organizerRow(event, ({ url }) => page.localUrl(url), page)}
${costAndWebsite(event, page.language)}
</dl>
${dateLinks(event, page, (id) => page.localUrl(view.dates.get(id)?.url))}${isProtected ? html`<p class="note">${texts.protected}</p>` : description && html`<div class="description" dir="auto">${description}</div>`}
${!isProtected && html`<p class="actions">${addingLinks(event, page)}</p>`}
</article>
${neighbours(page, view)}`,
  );
}

function neighbours(page: PublicPage, { previous, next }: EventView): Html | false {
  const link = (event: EventJson | undefined, rel: 'prev' | 'next', label: string) => {
    const url = event && page.localUrl(event.url);
    return (
      event &&
      url !== undefined &&
      html`<a rel="${rel}" href="${url}"><span>${label}</span> ${titleOf(event)}</a>\n`
    );
  };
  const { previousEvent, nextEvent } = page.publicTexts;
  if (!previous && !next) return false;
  return html`<nav class="neighbours" aria-label="${previousEvent}, ${nextEvent}">
${link(previous, 'prev', previousEvent)}${link(next, 'next', nextEvent)}</nav>`;
}
