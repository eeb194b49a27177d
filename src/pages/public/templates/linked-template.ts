import { type Html, html } from '../../../lib/html.js';
import { webAddress } from '../../../lib/wordpress-text/formatting/web-address.js';
import type { EventJson } from '../../../resources/events/event-json.js';
import type { OrganizerJson } from '../../../resources/organizers/organizer.response.js';
import type { VenueJson } from '../../../resources/venues/venue.response.js';
import { calendarSearch } from '../../calendar/calendar-query.js';
import { altOf, eventItem, OUT } from '../../calendar/event-html.js';
import { filled, organizationOf, placeOf } from '../../calendar/event-schema.js';
import { cutText, imageOf, plain, safeDescription } from '../../calendar/event-texts.js';
import { layout } from './layout.js';
import type { OrganizerView, PublicPage, VenueView } from './page-views.js';
import { placeLines } from './place-lines.js';

export function venueTemplate(page: PublicPage, { venue, position, events }: VenueView): Html {
  const onMap = venue.show_map === false ? undefined : position;
  const place = placeLines(page, venue, { position: onMap, hasLink: venue.show_map_link !== false });
  const geo = position && { '@type': 'GeoCoordinates', ...position };
  const address = place && html`<div><dt>${page.publicTexts.address}</dt><dd>${place}</dd></div>`;
  const schema = placeOf(venue);
  return linkedTemplate(page, {
    record: venue,
    name: plain(venue.venue),
    rows: address,
    schema:
      schema && filled({ '@context': 'https://schema.org', ...schema, url: webAddress(venue.url), geo }),
    events,
    filters: { venue: String(venue.id) },
  });
}

export function organizerTemplate(page: PublicPage, { organizer, events }: OrganizerView): Html {
  const name = plain(organizer.organizer);
  const email = plain(organizer.email);
  return linkedTemplate(page, {
    record: organizer,
    name,
    rows:
      email !== '' &&
      html`<div><dt>${page.publicTexts.email}</dt><dd><a dir="ltr" href="mailto:${email}">${email}</a></dd></div>`,
    schema: name === '' ? undefined : { '@context': 'https://schema.org', ...organizationOf(organizer) },
    events,
    filters: { organizer: String(organizer.id) },
  });
}

interface LinkedRecord {
  record: VenueJson | OrganizerJson;
  name: string;
  rows: Html | false | undefined;
  schema: unknown;
  events: readonly EventJson[];
  /** Of the calendar page, for all events of the record. */
  filters: Readonly<Record<string, string>>;
}

function linkedTemplate(
  page: PublicPage,
  { record, name, rows, schema, events, filters }: LinkedRecord,
): Html {
  const { texts } = page.language;
  const { publicTexts, language } = page;
  const title = name || `#${record.id}`;
  const image = imageOf(record);
  const website = webAddress(record.website);
  const phone = plain(record.phone);
  const description = safeDescription(record.description, page);
  const about = cutText(plain(record.description), 160) || title;
  return layout(
    page,
    { title, description: about, canonical: webAddress(record.url), isUnlisted: name === '', image, schema },
    html`<article class="linked">
<h1>${title}</h1>
${image !== undefined && html`<img src="${image}" alt="${altOf(record, page)}">`}
<dl>
${rows}
${phone !== '' && html`<div><dt>${publicTexts.phone}</dt><dd><a dir="ltr" href="tel:${phone.replace(/[^+\d]/g, '')}">${phone}</a></dd></div>`}
${website !== undefined && html`<div><dt>${texts.website}</dt><dd><a href="${website}" dir="ltr" ${OUT}>${new URL(website).host}</a></dd></div>`}
</dl>
${description && html`<div class="description" dir="auto">${description}</div>`}
</article>
<section id="events">
<h2>${language.texts.upcoming}</h2>
${events.length === 0 && html`<p class="note">${publicTexts.noEvents}</p>`}
<ol class="items">
${events.map((event) => eventItem(event, page, page.localUrl(event.url)))}
</ol>
<p><a href="${page.here}${calendarSearch(page.query, { filters })}">${publicTexts.moreEvents}</a></p>
</section>`,
  );
}
