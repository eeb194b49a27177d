import type ICAL from 'ical.js';
import { filterValidateUrl } from '../wordpress-text/formatting/php-filter-url.js';
import { plainText } from './write-event.js';

const TAG = /<\/?(a|b|blockquote|br|div|em|h[1-6]|html|i|img|li|ol|p|span|strong|table|u|ul)\b[^<>]*>/i;

/** The text of a property; undefined where it is missing or empty. */
export function textOf(component: ICAL.Component, name: string): string | undefined {
  const property = component.getFirstProperty(name);
  const text = property ? wordsOf(property).trim() : '';
  return text === '' ? undefined : text;
}

/** The items of all properties of a name; undefined without one. */
export function listOf(component: ICAL.Component, name: string): string[] | undefined {
  const properties = component.getAllProperties(name);
  if (properties.length === 0) return undefined;
  const items = properties.flatMap((property) =>
    property.type === 'unknown' ? splitList(rawOf(property)) : property.getValues().map(String),
  );
  return [...new Set(items.map((item) => item.trim()).filter((item) => item !== ''))];
}

/** The value of a property as text; ical.js does not unescape unknown properties. */
export function wordsOf(property: ICAL.Property): string {
  return property.type === 'unknown' ? unescaped(rawOf(property)) : String(property.getFirstValue() ?? '');
}

/** Converts plain text to HTML; existing entities stay. */
export function asHtml(text: string): string {
  return text
    .replace(/&(?!#?\w{1,31};)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Normalizes the URL of a website, also without `http://` or with non-ASCII letters; undefined for an invalid one. */
export function asWebsite(text: string): string | undefined {
  const address = /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(text) ? `http://${text}` : text;
  if (filterValidateUrl(address) !== false) return address;
  const written = URL.canParse(address) ? new URL(address).href : '';
  return filterValidateUrl(written) === false ? undefined : written;
}

/** The maximum length of a title taken from a description, in characters. */
const MAX_TITLE_LENGTH = 80;

/** The title of an event without one, as HTML: the first line of its description. */
export function titleFor(description: unknown): string {
  const lines = plainText(typeof description === 'string' ? description : '').split('\n');
  const line = lines.find((one) => one.trim() !== '')?.trim() ?? '(no title)';
  const characters = [...line];
  return asHtml(
    characters.length > MAX_TITLE_LENGTH ? `${characters.slice(0, MAX_TITLE_LENGTH - 1).join('')}…` : line,
  );
}

/** The description as HTML: `X-ALT-DESC`, else `DESCRIPTION`, which many programs fill with HTML. */
export function descriptionOf(component: ICAL.Component): string | undefined {
  const alternative = component.getFirstProperty('x-alt-desc');
  const html = alternative ? wordsOf(alternative).trim() : '';
  if (html !== '') return bodyOf(html);
  const text = textOf(component, 'description');
  return text === undefined || TAG.test(text) ? text : asHtml(text);
}

/** The body of an HTML document. */
function bodyOf(html: string): string {
  const begin = html.search(/<body\b/i);
  if (begin === -1) return html;
  const inside = html.slice(html.indexOf('>', begin) + 1);
  const end = inside.search(/<\/body\b/i);
  return (end === -1 ? inside : inside.slice(0, end)).trim();
}

function rawOf(property: ICAL.Property): string {
  return String(property.getFirstValue() ?? '');
}

function unescaped(text: string): string {
  return text.replace(/\\([\\;,nN])/g, (_, character: string) => (/n/i.test(character) ? '\n' : character));
}

/** Splits at unescaped commas. */
function splitList(text: string): string[] {
  return (text.match(/(?:\\.|[^\\,])+/gs) ?? []).map(unescaped);
}
