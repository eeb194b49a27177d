import { type Html, html, jsonScript, pageStart } from '../../lib/html.js';
import { builtPageHeaders } from '../../openapi/page-headers.js';
import type { PageLanguage } from '../calendar/page-language.js';
import type { EditorCatalogue } from '../texts/editor-en.js';
import { editorTexts } from '../texts/editor-texts.js';
import { fill } from '../texts/fill.js';
import type { EditorSettings } from './editor-settings.js';

/** Headers of the editor's pages, which neither caches nor search engines keep. */
export const editorHeaders = (uploadsUrl: string): Record<string, string> => ({
  ...builtPageHeaders(uploadsUrl),
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-store',
});

export interface EditorPage {
  name: string;
  language: PageLanguage;
  /** Where the server's root is, seen from the page: `.` or `..`. */
  root: string;
  /** Addresses of the page's files, seen from the root; undefined where they were not built. */
  script?: string;
  styles: readonly string[];
  /** What the script reads from `data-` attributes. */
  settings: EditorSettings;
}

/** The page of `/editor`: all that is seen on it is made by its script. */
export function editorPage({ name, language, root, script, styles, settings }: EditorPage): Html {
  const texts: EditorCatalogue = { ...editorTexts(language.lang), rules: language.recurrence.texts };
  const { calendar, pageTitle, notBuilt, noScript } = texts.frame;
  const site = name || calendar;
  const data = Object.entries(settings).map(([key, value]) => {
    const attribute = key.replace(/[A-Z]/g, '-$&').toLowerCase();
    return html` data-${attribute}="${String(value)}"`;
  });
  return html`${pageStart(fill(pageTitle, { site }), html`lang="${language.tag}" dir="${language.direction}"`)}
<link rel="icon" href="data:,">
${styles.map((style) => html`<link rel="stylesheet" href="${root}/${style}">`)}
${script !== undefined && html`<script type="module" src="${root}/${script}"></script>`}
${jsonScript('application/json', texts, 'texts')}
</head>
<body>
<div id="editor" data-site="${site}"${data}>
${
  script === undefined
    ? html`<p>${fill(notBuilt, { command: 'npm run build' })}</p>`
    : html`<noscript><p>${noScript}</p></noscript>`
}
</div>
</body>
</html>
`;
}
