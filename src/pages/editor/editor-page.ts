import { type Html, html, pageStart } from '../../lib/html.js';

/** Settings of the script (web/editor) in `data-` attributes, readable without signing in; none is secret. */
export interface EditorSettings {
  /** The REST root, seen from the page, without a slash behind. */
  rest: string;
  /** The interface's namespace below it. */
  namespace: string;
  /** The site's time zone as events store it. */
  zone: string;
  /** Whether the server refuses every write. */
  readOnly: boolean;
  /** Days that what is trashed is kept; 0 deletes at once. */
  trashDays: number;
  imageUrls: boolean;
  /** Why recurring events are not written here; empty where they are. */
  recurrenceOff: string;
  /** Where the session is begun, read and ended, seen from the page. */
  session: string;
  /** Where the forms of plugins are read, seen from the page; empty without any. */
  forms: string;
}

export interface EditorPage {
  name: string;
  /** Where the server's root is, seen from the page: `.` or `..`. */
  root: string;
  /** Addresses of the page's files, seen from the root; undefined where they were not built. */
  script?: string;
  styles: readonly string[];
  /** What the script reads from `data-` attributes. */
  settings: EditorSettings;
}

/** The page of `/editor`: all that is seen on it is made by its script. */
export function editorPage({ name, root, script, styles, settings }: EditorPage): Html {
  const title = name || 'Calendar';
  const data = Object.entries(settings).map(([key, value]) => {
    const attribute = key.replace(/[A-Z]/g, '-$&').toLowerCase();
    return html` data-${attribute}="${String(value)}"`;
  });
  return html`${pageStart(`Editor: ${title}`)}
<link rel="icon" href="data:,">
${styles.map((style) => html`<link rel="stylesheet" href="${root}/${style}">`)}
${script !== undefined && html`<script type="module" src="${root}/${script}"></script>`}
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
