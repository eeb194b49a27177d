import { escHtml } from '../esc-html.js';
import type { ThemeSupport } from '../render-context.js';
import { jsonAt, type ParsedBlock, textAt } from './parse-blocks.js';

const subscription = (
  name: string,
  label: string,
): string => `\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t<li class="tribe-events-c-subscribe-dropdown__list-item tribe-events-c-subscribe-dropdown__list-item--${name}">
\t\t\t\t\t\t\t\t\t<a
\t\t\t\t\t\t\t\t\t\thref=""
\t\t\t\t\t\t\t\t\t\tclass="tribe-events-c-subscribe-dropdown__list-item-link"
\t\t\t\t\t\t\t\t\t\ttarget="_blank"
\t\t\t\t\t\t\t\t\t\trel="noopener noreferrer nofollow noindex"
\t\t\t\t\t\t\t\t\t>
\t\t\t\t\t\t\t\t\t\t${label}\t\t\t\t\t\t\t\t\t</a>
\t\t\t\t\t\t\t\t</li>
`;

const SUBSCRIPTIONS = [
  subscription('gcal', 'Google Calendar'),
  subscription('ical', 'iCalendar'),
  subscription('outlook-365', 'Outlook 365'),
  subscription('outlook-live', 'Outlook Live'),
].join('');

/** The output of the plugin's blocks in a block theme outside of an event's page, as recorded; it replaces their content. */
const TRIBE_BLOCKS: Readonly<Record<string, string>> = {
  'tribe/event-datetime': `<div  class="tribe-events-schedule tribe-clearfix" >
\t<p class="tribe-events-schedule__datetime">
\t\t<span class="tribe-events-schedule__date tribe-events-schedule__date--start">
\t\t\t\t\t</span>

\t\t\t\t\t<span class="tribe-events-schedule__separator tribe-events-schedule__separator--date">
\t\t\t\t @ \t\t\t</span>
\t\t\t<span class="tribe-events-schedule__time tribe-events-schedule__time--start">
\t\t\t\t\t\t\t</span>
\t\t
\t\t\t</p>
</div>
`,
  'tribe/classic-event-details': `<div  class="tribe-events-single-section tribe-events-event-meta primary tribe-clearfix" >
\t
\t
<div class="tribe-events-meta-group tribe-events-meta-group-details">
\t<h3 class="tribe-events-single-section-title">
\t\t\t\t\tDetails\t\t
\t</h3>
\t<ul class="tribe-events-meta-list">

\t\t
\t\t\t<li class="tribe-events-meta-item">
\t\t\t\t<span class="tribe-events-meta-label">Date:</span>
\t\t\t\t<span class="tribe-events-meta-value">
\t\t\t\t\t<abbr class="tribe-events-abbr tribe-events-start-date published dtstart" title="">  </abbr>
\t\t\t\t</span>
\t\t\t</li>

\t\t\t<li class="tribe-events-meta-item">
\t\t\t\t<span class="tribe-events-meta-label">Time:</span>
\t\t\t\t<span class="tribe-events-meta-value">
\t\t\t\t\t<div class="tribe-events-abbr tribe-events-start-time published dtstart" title="">
\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t</div>
\t\t\t\t</span>
\t\t\t</li>

\t\t
\t\t
\t\t
\t\t
\t\t
\t\t
\t\t\t</ul>
</div>
\t
\t</div>
`,
  'tribe/event-category': `<div  class="tribe-events-single-section tribe-events-section-category tribe-clearfix" >
\t</div>
`,
  'tribe/event-tags': `<div  class="tribe-events-single-section tribe-events-section-tags tribe-clearfix" >
\t</div>
`,
  'tribe/event-venue': `<div  class="tribe-block tribe-block__venue tribe-clearfix" >
\t
\t\t
\t</div>
`,
  'tribe/event-links': `\t<div  class="tribe-block tribe-block__events-link" >
\t\t<div class="tribe-events tribe-common">
\t\t\t<div class="tribe-events-c-subscribe-dropdown__container">
\t\t\t\t<div class="tribe-events-c-subscribe-dropdown">
\t\t\t\t\t<div class="tribe-common-c-btn-border tribe-events-c-subscribe-dropdown__button">
\t\t\t\t\t\t<svg
\t class="tribe-common-c-svgicon tribe-common-c-svgicon--cal-export tribe-events-c-subscribe-dropdown__export-icon" \taria-hidden="true"
\tviewBox="0 0 23 17"
\txmlns="http://www.w3.org/2000/svg"
>
\t<path fill-rule="evenodd" clip-rule="evenodd" d="M.128.896V16.13c0 .211.145.383.323.383h15.354c.179 0 .323-.172.323-.383V.896c0-.212-.144-.383-.323-.383H.451C.273.513.128.684.128.896Zm16 6.742h-.901V4.679H1.009v10.729h14.218v-3.336h.901V7.638ZM1.01 1.614h14.218v2.058H1.009V1.614Z" />
\t<path d="M20.5 9.846H8.312M18.524 6.953l2.89 2.909-2.855 2.855" stroke-width="1.2" stroke-linecap="round" stroke-linejoin="round"/>
</svg>
\t\t\t\t\t\t<button
\t\t\t\t\t\t\tclass="tribe-events-c-subscribe-dropdown__button-text"
\t\t\t\t\t\t\taria-expanded="false"
\t\t\t\t\t\t\taria-controls="tribe-events-subscribe-dropdown-content"
\t\t\t\t\t\t\taria-label="View links to add events to your calendar"
\t\t\t\t\t\t>
\t\t\t\t\t\t\tAdd to calendar\t\t\t\t\t\t</button>
\t\t\t\t\t\t<svg
\t class="tribe-common-c-svgicon tribe-common-c-svgicon--caret-down tribe-events-c-subscribe-dropdown__button-icon" \taria-hidden="true"
\tviewBox="0 0 10 7"
\txmlns="http://www.w3.org/2000/svg"
>
\t<path fill-rule="evenodd" clip-rule="evenodd" d="M1.008.609L5 4.6 8.992.61l.958.958L5 6.517.05 1.566l.958-.958z" class="tribe-common-c-svgicon__svg-fill"/>
</svg>
\t\t\t\t\t</div>
\t\t\t\t\t<div id="tribe-events-subscribe-dropdown-content" class="tribe-events-c-subscribe-dropdown__content">
\t\t\t\t\t\t<ul class="tribe-events-c-subscribe-dropdown__list">
${SUBSCRIPTIONS}\t\t\t\t\t\t\t\t\t\t\t\t\t</ul>
\t\t\t\t\t</div>
\t\t\t\t</div>
\t\t\t</div>
\t\t</div>
\t</div>

`,
  'tribe/event-website': '',
  'tribe/featured-image': '',
  'tribe/related-events': '',
  'tribe/archive-events': '',
};

/** The output of the organizer block outside of an event's page, without the organizer (R16). */
const CHOSEN_ORGANIZER = `<div  class="tribe-block tribe-block__organizer__details tribe-clearfix" >
\t<div class="tribe-block__organizer__title">
\t\t<h3></h3>
\t</div>
\t\t\t</div>
`;

/** Renders one of the plugin's blocks; classic themes treat it as an unknown block. */
export function renderTribeBlock(html: string, block: ParsedBlock, theme: ThemeSupport): string {
  if (theme !== 'block' || block.blockName === null) return html;
  if (block.blockName === 'tribe/event-price') return eventPrice(textAt(block.attrs, 'cost') ?? '');
  if (block.blockName === 'tribe/event-organizer')
    return jsonAt(block.attrs, 'organizer') ? CHOSEN_ORGANIZER : html;
  return TRIBE_BLOCKS[block.blockName] ?? html;
}

function eventPrice(cost: string): string {
  const price =
    cost === '' ? '' : `\t<span class="tribe-block__event-price__cost"> ${escHtml(cost)} </span>\n\t\t`;
  return `<div  class="tribe-block tribe-block__event-price" >\n\t\t${price}</div>\n`;
}
