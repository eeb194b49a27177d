import { listItems } from './fields.js';
import type { ArgOptions, ShownDefault } from './rest-arg.js';

/** Largest page of any list; more is cut silently, as recorded. */
export const MOST_PER_PAGE = 50;

/** `per_page`, cut at 50; the site's own default when absent. */
export const parsePerPage: NonNullable<ArgOptions['parse']> = (value, { settings }) =>
  value === undefined ? settings.perPage : Math.min(MOST_PER_PAGE, Number(value));

/** The default of `per_page` as the index shows it: the site's option, as text. */
export const shownPerPage: ShownDefault = ({ settings }) => settings.perPageOption;

/** `status` as a list; an empty text is an empty list, which stands for published and private. */
export const parseStatuses: NonNullable<ArgOptions['parse']> = (value) =>
  value === undefined ? undefined : listItems(value);
