import { type Html, html, jsonScript, pageStart } from '../../lib/html.js';
import type { EventJson } from '../../resources/events/event-json.js';
import { fill } from '../texts/fill.js';
import { calendarSearch, isFiltered, VIEWS } from './calendar-query.js';
import {
  eventArticle,
  eventItem,
  eventSummary,
  OUT,
  type PageContext,
  type Positions,
  titleOf,
} from './event-html.js';
import { eventSchema, type SiteCurrency } from './event-schema.js';
import { imageOf } from './event-texts.js';
import { type Choices, filterForm } from './filter-form.js';
import type { InlinedEvents, ScriptSettings } from './script-settings.js';
import { dateFormat, moment } from './shown-time.js';

/** The input of the page besides its content. */
export interface CalendarPage extends PageContext {
  siteName: string;
  about: string;
  currency: SiteCurrency;
  /** Public URL of this page. */
  canonical: string;
  /** Relative URLs of the files built from web/calendar, if they were built. */
  script?: string;
  /** The part of the script that draws views other than the list. */
  gridScript?: string;
  stylesheet?: string;
  /** Relative URL of the site's own style sheet, if it has one. */
  theme?: string;
  /** On the site's clock, `YYYY-MM-DD`. */
  today: string;
  /** 0 is Sunday. */
  firstDay: number;
  /** `HH:MM` at which a calendar day ends. */
  dayCutoff: string;
}

/** A page of the list for browsers without scripts. */
export interface EventPage {
  events: readonly EventJson[];
  isLast: boolean;
}

/** The calendar page: the list as HTML, over which a script draws the calendar. */
export function calendarPage(
  page: CalendarPage,
  list: EventPage,
  choices: Choices,
  inlined?: InlinedEvents,
): Html {
  const { query, language, siteName, about } = page;
  const { texts, tag } = language;
  const day =
    query.date &&
    dateFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(moment(`${query.date} 00:00:00`));
  const heading = day ? fill(texts.from, { date: day }) : texts.upcoming;
  const schema = list.events
    .filter(({ all_day }) => all_day !== null)
    .flatMap((event) => eventSchema(event, page) ?? []);
  const settings: ScriptSettings = {
    api: page.api,
    embedScript: `${page.here}/embed.js`,
    language: tag,
    direction: language.direction,
    hour: page.style.hour,
    hour12: page.style.hour12,
    zone: page.zone,
    onSiteClock: page.onSiteClock,
    firstDay: page.firstDay,
    dayCutoff: page.dayCutoff,
    texts,
    inlined,
  };
  return shell(
    page,
    {
      title: [heading, siteName],
      description: about || heading,
      schema,
      address: '',
      script: page.script,
      gridScript: query.view === 'list' ? undefined : page.gridScript,
    },
    html`
${page.script !== undefined && toolbar(page, heading)}
<details id="filtering"><summary>${texts.filters}</summary>
${filterForm(page, choices)}
</details>
<p id="loading" class="unseen" role="status"></p>
<p id="status" role="status"></p>
<div id="calendar" hidden></div>
<section id="events" aria-busy="false">
<h2 class="unscripted">${heading}</h2>
${list.events.length === 0 && html`<p class="note">${isFiltered(query.filters) ? texts.noneFiltered : texts.none}</p>`}
<ol class="items">
${list.events.map((event) => eventItem(event, page))}
</ol>
${pageLinks(page, list)}
</section>
<dialog id="details" aria-labelledby="event-title"><button type="button" class="close" aria-label="${texts.close}">×</button><div></div></dialog>
${page.script !== undefined && sharing(page)}
${jsonScript('application/json', settings, 'settings')}
`,
  );
}

export function eventPage(page: CalendarPage, event: EventJson, positions: Positions): Html {
  const { query, language, here } = page;
  const title = titleOf(event);
  const schema = event.all_day === null ? undefined : eventSchema(event, page);
  const head = {
    title: [title, page.siteName],
    description: eventSummary(event, page),
    schema,
    image: imageOf(event),
    address: `?event=${event.id}`,
  };
  return shell(
    page,
    head,
    html`
<p><a href="${here}${calendarSearch(query, { event: undefined })}">← ${language.texts.back}</a></p>
${eventArticle(event, page, positions)}
`,
  );
}

export function errorPage(page: CalendarPage, message: string, details?: Html): Html {
  const { query, language, here } = page;
  const head = { title: [message, page.siteName], description: message, isMissing: true, address: '' };
  return shell(
    page,
    head,
    html`
<p class="note">${message}</p>
${details}
<p><a href="${here}${query.embed && '?embed=1'}">← ${language.texts.back}</a></p>
`,
  );
}

interface Head {
  title: readonly string[];
  description: string;
  schema?: unknown;
  image?: string;
  /** URL of this page below the calendar. */
  address: string;
  isMissing?: boolean;
  script?: string;
  gridScript?: string;
}

function shell(page: CalendarPage, head: Head, content: Html): Html {
  const { query, language, siteName, home, api, here } = page;
  const title = head.title.filter(Boolean).join(' – ');
  const name = siteName || language.texts.upcoming;
  const classes = [query.embed && 'embed', query.theme].filter(Boolean).join(' ');
  const root = html`lang="${language.lang}" dir="${language.direction}"${classes && html` class="${classes}"`}`;
  return html`${pageStart(title, root)}
<meta name="description" content="${head.description}">
${head.isMissing ? html`<meta name="robots" content="noindex">` : html`<link rel="canonical" href="${page.canonical}${head.address}">`}
<meta property="og:title" content="${title}">
<meta property="og:description" content="${head.description}">
<meta property="og:type" content="website">
<meta property="og:url" content="${page.canonical}${head.address}">
${siteName && html`<meta property="og:site_name" content="${siteName}">`}
${head.image !== undefined && html`<meta property="og:image" content="${head.image}">`}
<link rel="icon" href="data:,">
<link rel="alternate" type="text/calendar" href="${api}/events.ics">
${page.stylesheet !== undefined && html`<link rel="stylesheet" href="${page.stylesheet}">`}
${page.theme !== undefined && html`<link rel="stylesheet" href="${page.theme}">`}
${head.script !== undefined && html`<script type="module" src="${head.script}"></script>`}
${
  head.gridScript !== undefined &&
  // Phones show the list, which does not need it.
  html`<link rel="modulepreload" href="${head.gridScript}"${query.view === undefined && html` media="(min-width: 40.01rem)"`}>`
}
${head.schema !== undefined && jsonScript('application/ld+json', head.schema)}
</head>
<body>
<header><h1>${home === undefined ? html`<a href="${here}">${name}</a>` : html`<a href="${home}">${name}</a>`}</h1></header>
<main>${content}</main>
</body>
</html>
`;
}

/** Buttons for the script; styles hide them without it. */
function toolbar({ language, query, today }: CalendarPage, heading: string): Html {
  const { texts } = language;
  return html`<div id="toolbar" class="by-script">
<div class="group"><button type="button" data-go="prev" data-key="p" aria-label="${texts.previous}"><span class="arrow" aria-hidden="true">‹</span></button><button type="button" data-go="today" data-key="t">${texts.today}</button><button type="button" data-go="next" data-key="n" aria-label="${texts.next}"><span class="arrow" aria-hidden="true">›</span></button></div>
<h2 id="title" aria-live="polite">${heading}</h2>
<label><span class="unseen">${texts.goTo}</span><input type="date" id="go-to" value="${query.date ?? today}" title="${texts.goTo}"></label>
<div class="group" role="group" aria-label="${texts.view}">${VIEWS.map(
    (view) =>
      html`<button type="button" data-view="${view}" data-key="${view[0]}" aria-pressed="${String(view === query.view)}">${texts[view]}</button>`,
  )}</div>
</div>
`;
}

/** Links to subscribe to and embed the calendar. */
function sharing({ language, api, query }: CalendarPage): Html {
  const { texts } = language;
  return html`<div id="sharing" class="by-script">
<details><summary>${texts.subscribe}</summary><p>${texts.subscribeHint}</p><p><a class="button primary" id="webcal" href="${api}/events.ics">${texts.subscribe}</a> <a class="button" id="google" ${OUT}>Google Calendar</a> <a class="button" id="outlook" ${OUT}>Outlook</a> <a class="button" id="ics" href="${api}/events.ics">.ics</a></p></details>
${!query.embed && html`<details class="embedding"><summary>${texts.embed}</summary><p id="embed-hint">${texts.embedHint}</p><p class="copying"><input id="iframe" readonly aria-label="${texts.embed}" aria-describedby="embed-hint"> <button type="button" id="copy">${texts.copy}</button></p></details>`}
<button type="button" id="share">${texts.share}</button>
<label><input type="checkbox" id="shortcuts" checked> ${texts.shortcuts} <kbd>${[...VIEWS.map((view) => view[0]), 'p', 'n', 't', '/'].join(' ')}</kbd></label>
</div>
`;
}

function pageLinks({ query, language, here, today }: CalendarPage, { isLast }: EventPage): Html {
  const { texts } = language;
  const { page, date } = query;
  const before = monthBefore(date ?? today);
  const earlier = page > 1 ? { page: page - 1 } : { date: before };
  // There is no year 0.
  const isFirst = page === 1 && before.startsWith('0000');
  return html`<nav class="pages">
${!isFirst && html`<a rel="prev" href="${here}${calendarSearch(query, earlier)}">← ${texts.earlier}</a>`}
${!isLast && html`<a rel="next" href="${here}${calendarSearch(query, { page: page + 1 })}">${texts.later} →</a>`}
</nav>
`;
}

/** The first day of the day's month, or of the previous month if that is the day itself. */
function monthBefore(day: string): string {
  const date = moment(`${day} 00:00:00`);
  date.setUTCDate(date.getUTCDate() === 1 ? 0 : 1);
  return `${date.toISOString().slice(0, 8)}01`;
}
