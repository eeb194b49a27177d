import { asInteger } from '../../php-serialize.js';
import { escAttr } from '../esc-html.js';
import { BLANK, phpTrim } from '../php-strings.js';
import { wpKsesPost } from '../wp-kses.js';
import { htmlClass, type ShortcodeCall } from './shortcode.js';

const IMAGE = new RegExp(`(?:<a [^<>]+>${BLANK}*)?<img [^<>]+>(?:${BLANK}*</a>)?`, 'i');

/** `[caption]`: an image with a caption; the content alone without a width or a text. */
export function caption({ attributes, content, ctx, expand }: ShortcodeCall): string {
  const given = attributes.get('caption');
  // HTML in an attribute may have bypassed the filter on save.
  const { image, text } =
    given === undefined
      ? splitCaption(content)
      : { image: content, text: wpKsesPost(given, ctx.site.uploadsUrl) };
  const width = asInteger(attributes.get('width') ?? '');
  if (width < 1 || text === '' || text === '0') return image;

  const id = htmlClass(attributes.get('id') ?? '');
  const captionId =
    htmlClass(attributes.get('caption_id') ?? '') || (id && `caption-${id.replaceAll('_', '-')}`);
  const align = attributes.get('align') ?? 'alignnone';
  const classes = escAttr(phpTrim(`wp-caption ${align} ${attributes.get('class') ?? ''}`));
  const isHtml5 = ctx.site.theme !== 'classic-no-html5';
  const [box, line] = isHtml5 ? ['figure', 'figcaption'] : ['div', 'p'];

  const head =
    attribute('id', id) +
    attribute('aria-describedby', captionId) +
    `style="width: ${width}px" class="${classes}"`;
  const lineHead = `${attribute('id', captionId)}class="wp-caption-text"`;
  return `<${box} ${head}>${expand(image)}<${line} ${lineHead}>${text}</${line}></${box}>`;
}

/** Splits into the first image with its link and the text after it; text before it is dropped. */
function splitCaption(content: string): { image: string; text: string } {
  const match = IMAGE.exec(content);
  if (!match) return { image: content, text: '' };
  return { image: match[0], text: phpTrim(content.slice(match.index + match[0].length)) };
}

function attribute(name: string, value: string): string {
  return value && `${name}="${value}" `;
}
