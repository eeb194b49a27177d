import { escHtml } from '../../wordpress/formatting/esc-html.js';
import type { EditorSettings } from './editor-settings.js';

/** What the editor's page is told by the server; nothing of it is secret. */
export interface EditorPage {
  /** The site's name as WordPress stores it, which is with entities. */
  name: string;
  /** Where the server's root is, seen from the page: `.` or `..`. */
  root: string;
  /** Addresses of the page's files, seen from the root; undefined where they were not built. */
  script?: string;
  style?: string;
  /** What the script reads from `data-` attributes. */
  settings: EditorSettings;
}

/** The page of `/editor`: all that is seen on it is made by its script. */
export function editorPage({ name, root, script, style, settings }: EditorPage): string {
  const title = name === '' ? 'Calendar' : escHtml(name);
  const data = Object.entries(settings).map(
    ([key, value]) => `data-${key.replace(/[A-Z]/g, '-$&').toLowerCase()}="${escHtml(String(value))}"`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Editor: ${title}</title>
<link rel="icon" href="data:,">
${style ? `<link rel="stylesheet" href="${root}/${style}">\n` : ''}${script ? `<script type="module" src="${root}/${script}"></script>\n` : ''}</head>
<body>
<div id="editor" data-site="${title}" ${data.join(' ')}>
${script ? '<noscript><p>The editor needs JavaScript, which is switched off in this browser.</p></noscript>' : '<p>The editor was not built on this server: <code>npm run build</code> makes it.</p>'}
</div>
</body>
</html>
`;
}
