/** A piece of HTML that is safe to put into a page as it is. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | false | undefined | readonly Part[];

const SPECIAL: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML of a template: what is put in is text, and escaped, unless it is `Html`; nothing comes of `false` and undefined. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(written)));
}

function written(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === false || part === undefined) return '';
  if (typeof part === 'object') return part.map(written).join('');
  return String(part).replace(/[&<>"']/g, (char) => SPECIAL[char] ?? char);
}

/** The start of a page, up to its title; `attributes` are those of the root element. */
export function pageStart(title: string | Html, attributes: Html = html`lang="en"`): Html {
  return html`<!doctype html>
<html ${attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>`;
}

/** JSON for a `<script>` that is no program: nothing in it can end the element. */
export function jsonScript(type: string, value: unknown, id?: string): Html {
  const text = JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escaped);
  return html`<script type="${type}"${id !== undefined && html` id="${id}"`}>${new Html(text)}</script>`;
}

const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
