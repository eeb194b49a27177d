import { type Html, html, jsonScript, pageStart } from '../../lib/html.js';
import type { PageLanguage } from '../calendar/page-language.js';
import { editorTexts } from '../texts/editor-texts.js';
import type { EditorSettings } from './editor-settings.js';

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
  const title = name || 'Calendar';
  const data = Object.entries(settings).map(([key, value]) => {
    const attribute = key.replace(/[A-Z]/g, '-$&').toLowerCase();
    return html` data-${attribute}="${String(value)}"`;
  });
  return html`${pageStart(`Editor: ${title}`, html`lang="${language.tag}" dir="${language.direction}"`)}
<link rel="icon" href="data:,">
${styles.map((style) => html`<link rel="stylesheet" href="${root}/${style}">`)}
${script !== undefined && html`<script type="module" src="${root}/${script}"></script>`}
${jsonScript('application/json', editorTexts(language.lang), 'texts')}
</head>
<body>
<div id="editor" data-site="${title}"${data}>
${
  script === undefined
    ? html`<p>The editor was not built on this server: <code>npm run build</code> makes it.</p>`
    : html`<noscript><p>The editor needs JavaScript, which is switched off in this browser.</p></noscript>`
}
</div>
</body>
</html>
`;
}
