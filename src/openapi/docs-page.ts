import { Html, html, pageStart } from '../lib/html.js';
import { escHtml } from '../lib/wordpress-text/formatting/esc-html.js';
import { DOCUMENT_INFO } from './document-parts.js';
import { pageHeaders } from './page-headers.js';

/** Files of the Swagger UI package that the page needs; no others are served. */
export const DOCS_FILES: ReadonlySet<string> = new Set([
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-32x32.png',
]);

/** Relative paths from the page's URL to `/docs/` and to the server's root. */
interface PagePaths {
  folder: string;
  root: string;
}

// `SwaggerModule.setup` writes styles into the page, reads the document's address from the query and serves the whole package.
/** The page of `/docs`; `name` is the site's, stored with entities. */
export function docsPage(name: string, { folder, root }: PagePaths): string {
  const title = new Html(name === '' ? 'Calendar' : escHtml(name));
  return html`${pageStart(html`${title}: calendar interface ${DOCUMENT_INFO.version}`)}
<link rel="stylesheet" href="${folder}swagger-ui.css">
<link rel="stylesheet" href="${folder}style.css">
<link rel="icon" type="image/png" href="${folder}favicon-32x32.png">
<script src="${folder}swagger-ui-bundle.js" defer></script>
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
<main id="swagger-ui"><p>Trying requests here needs JavaScript; <a href="${root}openapi.json">openapi.json</a> says the same.</p></main>
</body>
</html>
`.text;
}

/** The page's own styles, in a file because the policy forbids inline ones. */
export const DOCS_STYLE = `body { margin: 0; font-family: system-ui, sans-serif; background: #fff; color: #1c2024; }
header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; align-items: baseline; justify-content: space-between;
  max-width: 1460px; box-sizing: border-box; margin: 0 auto; padding: 0.75rem 20px; border-bottom: 1px solid #d9dde1; }
header h1 { margin: 0; font-size: 1.125rem; overflow-wrap: anywhere; }
header nav { display: flex; gap: 1.25rem; }
header a { color: #0b5cad; }
#swagger-ui > p { padding: 0 20px; }
.swagger-ui .info { margin: 2rem 0 1rem; }
.swagger-ui .info .main .link { display: none; }
.swagger-ui .info__license { display: flex; gap: 0.3em; font-size: 14px; }
.swagger-ui .info__license::before { content: 'Licence:'; }
.dark-mode body { background: #1c2022; color: #e4e6e6; }
.dark-mode header { border-color: #40474b; }
.dark-mode header a { color: #8ab8f0; }
`;

/** The page's own script. */
export const DOCS_SCRIPT = `'use strict';
const dark = matchMedia('(prefers-color-scheme: dark)');
const shade = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', shade);
shade();
// Shows a lock only where a login is needed; Swagger shows it everywhere.
const TrueLocks = () => ({
  wrapComponents: {
    OperationSummary: (Summary, { React }) => (props) => {
      const { operationProps } = props;
      const isOpen = operationProps.get('security')?.some((way) => way.isEmpty());
      const shown = isOpen ? operationProps.delete('security') : operationProps;
      return React.createElement(Summary, { ...props, operationProps: shown });
    },
  },
});
SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: new URL('../openapi.json', document.currentScript.src).href,
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
  plugins: [TrueLocks],
  defaultModelsExpandDepth: 0,
  requestInterceptor: (request) => {
    // With a login cookie the entered password would be ignored.
    if (request.headers?.Authorization) request.credentials = 'omit';
    return request;
  },
});
`;

/** Everything comes from this server; requests may also go to the interface's public URL. */
export function docsHeaders(restBaseUrl: string): Record<string, string> {
  return pageHeaders({
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'connect-src': `'self' ${new URL(restBaseUrl).origin}`,
  });
}
