import { htmlEntityDecode } from '../lib/wordpress-text/formatting/html-entity-decode.js';
import { escapeXml } from './xml.js';

const TAG = /<[a-z][^<>]*>/gi;
/** Each attribute as a whole, so that nothing within a value is taken for one. */
const ATTRIBUTE = /([^\s"'<>/=]+)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'<>=]+)/g;
const ADDRESSES = /^(href|src|poster|cite|action|formaction|data|longdesc|background)$/i;
const LISTS = /^(imagesrcset|srcset)$/i;

/** HTML whose links and images are found from anywhere: those without a host are completed as on the page `base`. */
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

/** `a.png 1x, b.png 2x`: a comma within an address is followed by no blank. */
function completeList(text: string, base: string): string {
  return text
    .split(/,\s+/)
    .map((candidate) => candidate.replace(/^\s*\S+/, (address) => complete(address, base)))
    .join(', ');
}
