import { phpStripTags } from './php-strip-tags.js';
import { phpTrim } from './php-trim.js';

/** Removes tags, also scripts and styles with their content, and trims. */
export function wpStripAllTags(text: string): string {
  return phpTrim(phpStripTags(withoutScriptsAndStyles(text)));
}

/** Removes scripts and styles with their content, in linear time; an unclosed one stays. */
export function withoutScriptsAndStyles(text: string): string {
  const opening = /<(script|style)/gi;
  const closing = { script: /<\/script>/gi, style: /<\/style>/gi };
  const unclosed = new Set<string>();
  let out = '';
  let position = 0;
  for (let open = opening.exec(text); open !== null; open = opening.exec(text)) {
    const name = open[1]?.toLowerCase() === 'script' ? 'script' : 'style';
    if (unclosed.has(name)) continue;
    const tagEnd = text.indexOf('>', opening.lastIndex);
    if (tagEnd === -1) break;
    const close = closing[name];
    close.lastIndex = tagEnd;
    if (close.test(text)) {
      out += text.slice(position, open.index);
      position = close.lastIndex;
      opening.lastIndex = position;
    } else {
      unclosed.add(name);
    }
  }
  return out + text.slice(position);
}
