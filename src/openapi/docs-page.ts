import { Html, html, pageStart } from '../lib/html.js';
import { escHtml } from '../lib/wordpress-text/formatting/esc-html.js';
import { type ApiDocument, inline, operationSections } from './docs-operations.js';
import { pageHeaders } from './page-headers.js';

/** Relative paths from the page's URL to `/docs/` and to the server's root. */
interface PagePaths {
  folder: string;
  root: string;
}

/** The page of `/docs`: everything in the document, readable without scripts; `name` is the site's, stored with entities. */
export function docsPage(name: string, document: ApiDocument, { folder, root }: PagePaths): string {
  const title = new Html(name === '' ? 'Calendar' : escHtml(name));
  const { version, description = '' } = document.info;
  return html`${pageStart(html`${title}: calendar interface ${version}`)}
<link rel="stylesheet" href="${folder}style.css">
<script src="${folder}start.js" defer></script>
</head>
<body>
<header>
<h1>${title}</h1>
<nav aria-label="Pages">
<a href="${root}calendar">Calendar</a>
<a href="${root}openapi.json">openapi.json</a>
</nav>
</header>
<main>
${description.split('\n\n').map((text) => html`<p>${inline(text)}</p>\n`)}<noscript><p>The filter and sending requests need JavaScript.</p></noscript>
<form id="docs-tools" role="search" aria-label="Filter and login" hidden>
<p><label for="docs-filter">Filter operations</label><input id="docs-filter" type="search" autocomplete="off"></p>
<p><label for="docs-server">Server</label><select id="docs-server"></select></p>
<p><label for="docs-user">User name</label><input id="docs-user" autocomplete="off"></p>
<p><label for="docs-password">Application password</label><input id="docs-password" type="password" autocomplete="off"></p>
<p id="docs-found" role="status"></p>
</form>
${operationSections(document)}</main>
</body>
</html>
`.text;
}

/** The page's styles, in a file because the policy forbids inline ones. */
export const DOCS_STYLE = `:root { color-scheme: light dark; --text: #1c2024; --back: #fff; --quiet: #555c63; --line: #d9dde1; --link: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e6e6; --back: #1c2022; --quiet: #b3babf; --line: #40474b; --link: #8ab8f0; }
}
body { margin: 0 auto; max-width: 60rem; padding: 0 1rem 4rem; font: 1rem/1.5 system-ui, sans-serif;
  background: var(--back); color: var(--text); overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; align-items: baseline; justify-content: space-between;
  padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 1.25rem; }
h2 { margin: 2rem 0 0; font-size: 1.25rem; }
h2 + p { margin: 0 0 0.5rem; color: var(--quiet); }
h3 { margin: 1rem 0 0.25rem; font-size: 1rem; }
nav { display: flex; gap: 1.25rem; }
a { color: var(--link); }
[hidden] { display: none !important; }
#docs-tools { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 0 1rem; }
form p { margin: 0.25rem 0; }
label { display: block; font-size: 0.875rem; }
input, select, textarea { box-sizing: border-box; width: 100%; min-height: 2.25rem; font: inherit; color: inherit;
  background: var(--back); border: 1px solid var(--quiet); border-radius: 4px; padding: 0.25rem 0.5rem; }
textarea, pre, code { font-family: ui-monospace, monospace; font-size: 0.875rem; }
button { min-height: 2.25rem; padding: 0 1.25rem; font: inherit; color: var(--back); background: var(--link); border: 0; border-radius: 4px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
details { border: 1px solid var(--line); border-radius: 4px; margin: 0.5rem 0; padding: 0 0.75rem; }
details[open] { padding-bottom: 0.75rem; }
summary { padding: 0.5rem 0; cursor: pointer; }
.method { display: inline-block; min-width: 4rem; font-weight: bold; }
.login { border: 1px solid var(--quiet); border-radius: 4px; padding: 0 0.375rem; color: var(--quiet); font-size: 0.875rem; }
dl { margin: 0; }
dt span { color: var(--quiet); font-size: 0.875rem; }
dd { margin: 0 0 0.5rem 1.5rem; }
pre { max-height: 30rem; overflow: auto; padding: 0.75rem; border: 1px solid var(--line); white-space: pre-wrap; }
`;

/** Everything comes from this server; requests may also go to the interface's public URL. */
export function docsHeaders(restBaseUrl: string): Record<string, string> {
  return pageHeaders({
    'script-src': "'self'",
    'style-src': "'self'",
    'connect-src': `'self' ${new URL(restBaseUrl).origin}`,
  });
}
