import { isPhpEmpty } from '../wordpress/formatting/php-empty.js';
import { filterItems, itemsOf, scalarText } from './fields.js';
import type { ArgOptions, ShownDefault } from './rest-arg.js';

/** Largest page of any list; more is cut silently, as recorded. */
export const MOST_PER_PAGE = 50;

/** `per_page`, cut at 50; the site's own default when absent. */
export const parsePerPage: NonNullable<ArgOptions['parse']> = (value, { settings }) =>
  value === undefined ? settings.perPage : Math.min(MOST_PER_PAGE, Number(value));

/** The default of `per_page` as the index shows it: the site's option, as text. */
export const shownPerPage: ShownDefault = ({ settings }) => settings.perPageOption;

/** The items of `status`: a comma text or a list, blanks kept, so that ` publish` is no status; what PHP calls empty is dropped. */
export function statusItems(value: unknown): string[] {
  const items = typeof value === 'string' ? value.split(',') : itemsOf(value).map(scalarText);
  return items.filter((item) => !isPhpEmpty(item));
}

/** `status` as a list; a text of nothing is an empty list, which stands for published and private. */
export const parseStatuses: NonNullable<ArgOptions['parse']> = (value) =>
  value === undefined ? undefined : statusItems(value);

/** Ids that a filter names, and the filter as it was sent, a list joined by commas: links repeat that. */
export interface IdFilter {
  ids: number[];
  text: string;
}

/** A checked list of ids as a filter. */
export const parseIds = (value: unknown): IdFilter | undefined =>
  value === undefined
    ? undefined
    : {
        ids: filterItems(value).map((item) => Math.min(Number(item), Number.MAX_SAFE_INTEGER)),
        text: typeof value === 'string' ? value : itemsOf(value).map(scalarText).join(','),
      };
