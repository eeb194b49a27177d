import { SOCIAL_ICONS } from '../data/block-social-icons.js';
import { escAttr, escHtml } from '../esc-html.js';
import { escUrl } from '../esc-url.js';
import { wpKsesPost } from '../wp-kses.js';
import { jsonAt, textAt } from './json.js';
import type { BlockRenderer } from './parse-blocks.js';

const HAS_SCHEME = /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i;
const NOT_IN_CLASS = /[^a-z\d_-]+/gi;

/** Renders a search form, numbered within the request. */
export const renderSearch: BlockRenderer = (_html, { attrs }, { site, state }) => {
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
export const renderLoginout: BlockRenderer = (_html, _block, { site }) => {
  const back = encodeURIComponent(`${site.home}/`);
  const url = escUrl(`${site.siteUrl}/wp-login.php?redirect_to=${back}`);
  return `<div class="logged-out wp-block-loginout"><a href="${url}">Log in</a></div>`;
};

/** Renders a social link: empty without a URL, without an icon for an unknown service. */
export const renderSocialLink: BlockRenderer = (_html, { attrs }, _ctx, parent) => {
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
  const path = SOCIAL_ICONS.get(service);
  if (path === undefined) return '';
  return (
    '<svg width="24" height="24" viewBox="0 0 24 24" version="1.1" xmlns="http://www.w3.org/2000/svg" ' +
    `aria-hidden="true" focusable="false"><path d="${path}"></path></svg>`
  );
}
