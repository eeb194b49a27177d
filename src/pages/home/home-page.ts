import { hash } from 'node:crypto';
import { Html, html, pageStart } from '../../lib/html.js';
import { escHtml } from '../../lib/wordpress-text/formatting/esc-html.js';
import { pageHeaders } from '../../openapi/page-headers.js';
import type { PageLanguage } from '../calendar/page-language.js';
import { fill } from '../texts/fill.js';
import { homeTexts } from '../texts/home-texts.js';

/** The content of the page at `/`. */
interface HomePage {
  /** The site's name, stored with entities. */
  name: string;
  home: string;
  addresses: readonly string[];
  hasEditor: boolean;
  language: Pick<PageLanguage, 'lang' | 'direction'>;
}

const STYLE = `
:root { background: Canvas; color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; }
dt { font-weight: bold; margin-top: 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
a { color: #0b57d0; }
@media (prefers-color-scheme: dark) { a { color: #9fc0ff; } }
`;

/** The page loads, sends and frames nothing; its style is allowed by hash. */
export const HOME_HEADERS = pageHeaders({
  'style-src': `'sha256-${hash('sha256', STYLE, 'base64')}'`,
});

/** A stored text, which may hold entities. */
const stored = (text: string) => new Html(escHtml(text));

/** The page at `/`, with relative links so that it works below any prefix. */
export function homePage({ name, home, addresses, hasEditor, language }: HomePage): string {
  const { lang, direction } = language;
  const texts = homeTexts(lang);
  const site = name === '' ? html`${texts.noName}` : stored(name);
  const link = (address: string) => html`<a href="${stored(address)}" dir="ltr">${stored(address)}</a>`;
  const row = (text: string, name: string) =>
    html`<dd><a href="./${name}">${fill(text, { link: name })}</a></dd>`;
  const title = new Html(fill(texts.title, { site: site.text }));
  return html`${pageStart(title, html`lang="${lang}" dir="${direction}"`)}
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<h1>${site}</h1>
<p>${texts.about}</p>
<dl>
<dt>${texts.site}</dt>
<dd>${
    // Only http URLs become links: the stored value may be anything.
    /^https?:\/\//i.test(home) ? link(home) : stored(home)
  }</dd>
<dt>${texts.calendar}</dt>
${row(texts.toCalendar, 'calendar')}
<dt>${texts.api}</dt>
${addresses.map((address) => html`<dd>${link(address)}</dd>\n`)}${hasEditor && html`<dt>${texts.editors}</dt>\n${row(texts.toEditor, 'editor')}\n`}<dt>${texts.documents}</dt>
${row(texts.toDocs, 'docs')}
${row(texts.toDocument, 'openapi.json')}
<dt>${texts.health}</dt>
${row(texts.toLive, 'livez')}
${row(texts.toReady, 'readyz')}
</dl>
</main>
</body>
</html>
`.text;
}
