import { isNumeric } from '../../lib/wordpress-text/formatting/php-number.js';
import type { SiteSettings } from '../options/site-settings.js';
import { prettyLink } from '../posts/permalink.js';
import type { Taxonomy } from '../types/content-types.js';

/** A term in a taxonomy, as stored: the name entity-escaped, the description raw. */
export interface TermRecord {
  id: number;
  name: string;
  slug: string;
  termGroup: number;
  termTaxonomyId: number;
  taxonomy: string;
  description: string;
  /** Term id of the parent, 0 for none. */
  parent: number;
  /** The number of published posts with this term. */
  count: number;
}

/** The URL of a term's page; `path` is the slugs from the root ancestor to the term. */
export function termLink(
  { queryVariable, linkBase }: Pick<Taxonomy, 'queryVariable' | 'linkBase'>,
  path: readonly string[],
  site: SiteSettings,
): string {
  const { home, permalinkStructure } = site.links;
  if (permalinkStructure === '') return `${home}/?${queryVariable}=${path.at(-1) ?? ''}`;
  return prettyLink(site.links, [linkBase(site), ...path].join('/'));
}

/** Parses a term id of a filter as PHP casts it: `20.0` and `2e1` are 20; undefined for other texts. */
export function termIdOf(item: string): number | undefined {
  const id = isNumeric(item) ? Math.trunc(Number(item)) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}
