import { hash } from 'node:crypto';
import { addClasses, findTag, type HtmlTag } from './html-tag.js';
import { jsonAt } from './json.js';
import type { ParsedBlock } from './parse-blocks.js';

const IMAGE_MEMBERS =
  ' data-wp-class--hide="state.isContentHidden" data-wp-class--show="state.isContentVisible"' +
  ' data-wp-init="callbacks.setButtonStyles" data-wp-on-async--click="actions.showLightbox"' +
  ' data-wp-on-async--load="callbacks.setButtonStyles"' +
  ' data-wp-on-async-window--resize="callbacks.setButtonStyles"';

/** The button that enlarges the image, as in WordPress 6.8. */
const BUTTON = [
  '<button',
  'class="lightbox-trigger"',
  'type="button"',
  'aria-haspopup="dialog"',
  'aria-label="Enlarge"',
  'data-wp-init="callbacks.initTriggerButton"',
  'data-wp-on-async--click="actions.showLightbox"',
  'data-wp-style--right="state.imageButtonRight"',
  'data-wp-style--top="state.imageButtonTop"',
]
  .join('\n\t\t\t')
  .concat(
    '\n\t\t>',
    '\n\t\t\t<svg xmlns="http://www.w3.org/2000/svg" width="12" height="12" fill="none" viewBox="0 0 12 12">',
    '\n\t\t\t\t<path fill="#fff" d="M2 0a2 2 0 0 0-2 2v2h1.5V2a.5.5 0 0 1 .5-.5h2V0H2Zm2 10.5H2a.5.5 0 0 1-.5-.5V8H0v2a2 2 0 0 0 2 2h2v-1.5ZM8 12v-1.5h2a.5.5 0 0 0 .5-.5V8H12v2a2 2 0 0 1-2 2H8Zm2-12a2 2 0 0 1 2 2v2h-1.5V2a.5.5 0 0 0-.5-.5H8V0h2Z" />',
    '\n\t\t\t</svg>',
    '\n\t\t</button>',
  );

/**
 * Adds the lightbox markup to an image without a link. WordPress generates a random image id; here it is a hash of the
 * HTML, so that responses are stable.
 */
export function addLightbox(html: string, { attrs }: ParsedBlock): string {
  const target = jsonAt(attrs, 'linkDestination') ?? 'none';
  if (jsonAt(attrs, 'lightbox', 'enabled') !== true || target !== 'none') return html;
  const figure = findTag(html, ({ name }) => name === 'figure');
  const image = findTag(html, ({ name }) => name === 'img');
  if (!figure || !image || image.start < figure.end) return html;
  const id = hash('md5', html).slice(0, 13);
  const withButton = html.slice(0, image.end) + BUTTON + html.slice(image.end);
  const withImage = insert(withButton, image, IMAGE_MEMBERS);
  const withContext = insert(
    withImage,
    figure,
    ` data-wp-context="{&quot;imageId&quot;:&quot;${id}&quot;}" data-wp-interactive="core/image" data-wp-key="${id}"`,
  );
  return addClasses(
    withContext,
    findTag(withContext, ({ name }) => name === 'figure'),
    ['wp-lightbox-container'],
  );
}

/** Inserts attributes after the name of a tag. */
function insert(html: string, { nameEnd }: HtmlTag, attributes: string): string {
  return html.slice(0, nameEnd) + attributes + html.slice(nameEnd);
}
