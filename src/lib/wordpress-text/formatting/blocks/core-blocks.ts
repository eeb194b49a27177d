import { hash } from 'node:crypto';
import { escAttr, escHtml } from '../esc-html.js';
import { escUrl } from '../esc-url.js';
import { wpKsesPost } from '../wp-kses.js';
import { wpautop } from '../wpautop.js';
import { addClasses, attributeOf, classesOf, findTag, type HtmlTag, setAttribute } from './html-tag.js';
import { type BlockRenderer, jsonAt, type ParsedBlock, textAt } from './parse-blocks.js';

const TAG = /<[^<>]*>/g;
const IMAGE = /<(?:img|svg)\b/i;

/** Adds the class `wp-block-heading` to the first heading. */
function renderHeading(html: string): string {
  return addClasses(html, findTag(html, /^h[1-6]$/), ['wp-block-heading']);
}

/** Adds the class `wp-block-list` to the first list. */
export function renderList(html: string): string {
  return addClasses(html, findTag(html, /^[uo]l$/), ['wp-block-list']);
}

/** Renders a button: empty without text or image. */
function renderButton(html: string): string {
  return html.replace(TAG, '').trim() !== '' || IMAGE.test(html) ? html : '';
}

const FLOATING = /^align(?:left|right|center)$/;
/** The label of a preview without a name. */
const UNNAMED = 'PDF embed';
const FIGURE_END = '</figure>';

/** Renders an image: empty without a source, with its id in a gallery, in a `<div>` if aligned (classic). */
const renderImage: BlockRenderer = (html, { attrs }, { site }, parent) => {
  const image = findTag(html, /^img$/);
  if (!image || !attributeOf(image, 'src')) return '';
  const id = jsonAt(attrs, 'id');
  const isMarked = parent?.blockName === 'core/gallery' && ['number', 'string'].includes(typeof id);
  const marked = isMarked ? setAttribute(html, image, 'data-id', String(id)) : html;
  return addLightbox(site.theme === 'block' ? marked : wrapAlignedImage(marked), attrs);
};

function wrapAlignedImage(html: string): string {
  const figure = findTag(html);
  const classes = figure ? classesOf(figure) : [];
  const end = html.lastIndexOf(FIGURE_END);
  const isAligned = classes.includes('wp-block-image') && classes.some((name) => FLOATING.test(name));
  if (figure?.name !== 'figure' || !isAligned || end < figure.end) return html;
  const remaining = classes.filter((name) => name !== 'wp-block-image').join(' ');
  const inner = setAttribute(html.slice(0, end + FIGURE_END.length), figure, 'class', remaining);
  return `<div class="wp-block-image">${inner}</div>`;
}

/** Renders a file: its preview is hidden until a script detects PDF support. */
const renderFile: BlockRenderer = (html, { attrs }) => {
  const object = findTag(html, /^object$/);
  if (!jsonAt(attrs, 'displayPreview') || !object) return html;
  const label = attributeOf(object, 'aria-label') ?? '';
  const name = label === '' || label === UNNAMED ? UNNAMED : `Embed of ${label}.`;
  const hasLabel = object.attributes.some((attribute) => attribute.name === 'aria-label');
  const named = hasLabel ? setAttribute(html, object, 'aria-label', name) : html;
  const hidden = `${hasLabel ? '' : ` aria-label="${name}"`} data-wp-bind--hidden="!state.hasPdfPreview" hidden`;
  const marked = insert(named, object, hidden);
  return setAttribute(marked, findTag(marked), 'data-wp-interactive', 'core/file');
};

const IMAGE_MEMBERS =
  ' data-wp-class--hide="state.isContentHidden" data-wp-class--show="state.isContentVisible"' +
  ' data-wp-init="callbacks.setButtonStyles" data-wp-on-async--click="actions.showLightbox"' +
  ' data-wp-on-async--load="callbacks.setButtonStyles"' +
  ' data-wp-on-async-window--resize="callbacks.setButtonStyles"';

/** The button that enlarges the image, as in WordPress 6.8. */
const BUTTON = `<button
\t\t\tclass="lightbox-trigger"
\t\t\ttype="button"
\t\t\taria-haspopup="dialog"
\t\t\taria-label="Enlarge"
\t\t\tdata-wp-init="callbacks.initTriggerButton"
\t\t\tdata-wp-on-async--click="actions.showLightbox"
\t\t\tdata-wp-style--right="state.imageButtonRight"
\t\t\tdata-wp-style--top="state.imageButtonTop"
\t\t>
\t\t\t<svg xmlns="http://www.w3.org/2000/svg" width="12" height="12" fill="none" viewBox="0 0 12 12">
\t\t\t\t<path fill="#fff" d="M2 0a2 2 0 0 0-2 2v2h1.5V2a.5.5 0 0 1 .5-.5h2V0H2Zm2 10.5H2a.5.5 0 0 1-.5-.5V8H0v2a2 2 0 0 0 2 2h2v-1.5ZM8 12v-1.5h2a.5.5 0 0 0 .5-.5V8H12v2a2 2 0 0 1-2 2H8Zm2-12a2 2 0 0 1 2 2v2h-1.5V2a.5.5 0 0 0-.5-.5H8V0h2Z" />
\t\t\t</svg>
\t\t</button>`;

/** Adds a lightbox to an image without a link; its id is a hash, where WordPress has a random one. */
function addLightbox(html: string, attrs: ParsedBlock['attrs']): string {
  const target = jsonAt(attrs, 'linkDestination') ?? 'none';
  if (jsonAt(attrs, 'lightbox', 'enabled') !== true || target !== 'none') return html;
  const figure = findTag(html, /^figure$/);
  const image = findTag(html, /^img$/);
  if (!figure || !image || image.start < figure.end) return html;
  const id = hash('md5', html).slice(0, 13);
  const withButton = html.slice(0, image.end) + BUTTON + html.slice(image.end);
  const withImage = insert(withButton, image, IMAGE_MEMBERS);
  const withContext = insert(
    withImage,
    figure,
    ` data-wp-context="{&quot;imageId&quot;:&quot;${id}&quot;}" data-wp-interactive="core/image" data-wp-key="${id}"`,
  );
  return addClasses(withContext, findTag(withContext, /^figure$/), ['wp-lightbox-container']);
}

function insert(html: string, { nameEnd }: HtmlTag, attributes: string): string {
  return html.slice(0, nameEnd) + attributes + html.slice(nameEnd);
}

/** The path in the 24×24 icon of Facebook, the only service recorded. */
const FACEBOOK =
  'M12 2C6.5 2 2 6.5 2 12c0 5 3.7 9.1 8.4 9.9v-7H7.9V12h2.5V9.8c0-2.5 1.5-3.9 3.8-3.9 1.1 0 2.2.2 2.2.2v2.5h-1.3c-1.2 0-1.6.8-1.6 1.6V12h2.8l-.4 2.9h-2.3v7C18.3 21.1 22 17 22 12c0-5.5-4.5-10-10-10z';

const HAS_SCHEME = /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i;
const NOT_IN_CLASS = /[^a-z\d_-]+/gi;

/** Renders a search form, numbered within the request. */
const renderSearch: BlockRenderer = (_html, { attrs }, { site, state }) => {
  const id = `wp-block-search__input-${++state.searchForms}`;
  const label = textAt(attrs, 'label') || 'Search';
  const button = textAt(attrs, 'buttonText') || 'Search';
  const placeholder = escAttr(textAt(attrs, 'placeholder') ?? '');
  const hidden = jsonAt(attrs, 'showLabel') === false ? ' screen-reader-text' : '';
  return (
    `<form role="search" method="get" action="${escUrl(`${site.home}/`)}" ` +
    'class="wp-block-search__button-outside wp-block-search__text-button wp-block-search"    >' +
    `<label class="wp-block-search__label${hidden}" for="${id}" >${wpKsesPost(label)}</label>` +
    `<div class="wp-block-search__inside-wrapper " ><input class="wp-block-search__input" id="${id}" ` +
    `placeholder="${placeholder}" value="" type="search" name="s" required />` +
    `<button aria-label="${escAttr(button)}" class="wp-block-search__button wp-element-button" ` +
    `type="submit" >${wpKsesPost(button)}</button></div></form>`
  );
};

/** Renders the login link, with a redirect to the front page. */
const renderLoginout: BlockRenderer = (_html, _block, { site }) => {
  const back = encodeURIComponent(`${site.home}/`);
  const url = escUrl(`${site.siteUrl}/wp-login.php?redirect_to=${back}`);
  return `<div class="logged-out wp-block-loginout"><a href="${url}">Log in</a></div>`;
};

/** Renders a social link: empty without a URL, without an icon for an unknown service. */
const renderSocialLink: BlockRenderer = (_html, { attrs }, _ctx, parent) => {
  const url = textAt(attrs, 'url') ?? '';
  const service = (textAt(attrs, 'service') ?? '').replace(NOT_IN_CLASS, '-');
  if (url === '') return '';
  const newTab = jsonAt(parent?.attrs, 'openInNewTab') ? 'rel="noopener nofollow" target="_blank" ' : '';
  const label = textAt(attrs, 'label') || service.charAt(0).toUpperCase() + service.slice(1);
  const hidden = jsonAt(parent?.attrs, 'showLabels') ? '' : ' screen-reader-text';
  return (
    `<li class="wp-social-link wp-social-link-${service}  wp-block-social-link">` +
    `<a ${newTab}href="${escUrl(withScheme(url))}" class="wp-block-social-link-anchor">${icon(service)}` +
    `<span class="wp-block-social-link-label${hidden}">${escHtml(label)}</span></a></li>`
  );
};

function withScheme(url: string): string {
  if (HAS_SCHEME.test(url)) return url;
  return url.includes('@') && !url.includes('/') ? `mailto:${url}` : `https://${url}`;
}

function icon(service: string): string {
  if (service !== 'facebook') return '';
  return (
    '<svg width="24" height="24" viewBox="0 0 24 24" version="1.1" xmlns="http://www.w3.org/2000/svg" ' +
    `aria-hidden="true" focusable="false"><path d="${FACEBOOK}"></path></svg>`
  );
}

/** Renderers of the blocks whose output differs from their saved HTML. */
export const CORE_RENDERERS: Readonly<Record<string, BlockRenderer>> = {
  'core/button': renderButton,
  'core/file': renderFile,
  'core/heading': renderHeading,
  'core/image': renderImage,
  'core/list': renderList,
  'core/loginout': renderLoginout,
  'core/search': renderSearch,
  'core/shortcode': wpautop,
  'core/social-link': renderSocialLink,
  'core/widget-group': (inner) => `<div class="wp-widget-group__inner-blocks">${inner}</div>`,
};
