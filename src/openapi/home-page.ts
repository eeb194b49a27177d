import { hash } from 'node:crypto';
import { Html, html, pageStart } from '../lib/html.js';
import { escHtml } from '../lib/wordpress-text/formatting/esc-html.js';
import { pageHeaders } from './page-headers.js';

/** The content of the page at `/`. */
interface HomePage {
  /** The site's name, stored with entities. */
  name: string;
  home: string;
  addresses: readonly string[];
  hasEditor: boolean;
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
export function homePage({ name, home, addresses, hasEditor }: HomePage): string {
  const title = name === '' ? 'Calendar' : stored(name);
  const link = (address: string, text = address) =>
    html`<dd><a href="${stored(address)}">${stored(text)}</a></dd>`;
  // Only http URLs become links: the stored value may be anything.
  const site = /^https?:\/\//i.test(home) ? link(home) : html`<dd>${stored(home)}</dd>`;
  return html`${pageStart(html`${title}: calendar interface`)}
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>This is Almanac: it serves the site's events, venues, organizers, categories and tags to programs, as JSON over HTTP.</p>
<dl>
<dt>The site</dt>
${site}
<dt>The calendar</dt>
${link('./calendar', 'calendar: the events, for people')}
<dt>The interface</dt>
${addresses.map((address) => html`${link(address)}\n`)}${hasEditor && html`<dt>For editors</dt>\n${link('./editor', 'editor: write events, venues and organizers')}\n`}<dt>Documents</dt>
${link('./docs', 'docs: a page to read about every route, and to try it')}
${link('./openapi.json', 'openapi.json: the same for programs')}
<dt>Health</dt>
${link('./livez', 'livez: the process runs')}
${link('./readyz', 'readyz: it can answer')}
</dl>
</main>
</body>
</html>
`.text;
}
