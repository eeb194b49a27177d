import { htmlEntityDecode } from '../lib/wordpress-text/formatting/html-entity-decode.js';
import { escapeXml } from './xml.js';

const TAG = /<[a-z][^<>]*>/gi;
/** Matches whole attributes, so that nothing inside a value is taken for one. */
const ATTRIBUTE = /([^\s"'<>/=]+)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'<>=]+)/g;
const ADDRESSES = /^(href|src|poster|cite|action|formaction|data|longdesc|background)$/i;
const LISTS = /^(imagesrcset|srcset)$/i;

/** Makes relative links and images absolute, resolved against the page `base`. */
export function absoluteLinks(html: string, base: string): string {
  if (!URL.canParse(base)) return html;
  return html.replace(TAG, (tag) =>
    tag.replace(ATTRIBUTE, (attribute: string, name: string, equals: string, written: string) => {
      const isList = LISTS.test(name);
      if (!isList && !ADDRESSES.test(name)) return attribute;
      const text = htmlEntityDecode(/^["']/.test(written) ? written.slice(1, -1) : written);
      const whole = isList ? completeList(text, base) : complete(text, base);
      return whole === text ? attribute : `${name}${equals}"${escapeXml(whole)}"`;
    }),
  );
}

function complete(address: string, base: string): string {
  const text = address.trim();
  const isWhole = text === '' || /^[a-z][\w+.-]*:/i.test(text);
  return isWhole || !URL.canParse(text, base) ? address : new URL(text, base).href;
}

/** `a.png 1x, b.png 2x`: a comma within a URL is not followed by a space. */
function completeList(text: string, base: string): string {
  return text
    .split(/,\s+/)
    .map((candidate) => candidate.replace(/^\s*\S+/, (address) => complete(address, base)))
    .join(', ');
}
