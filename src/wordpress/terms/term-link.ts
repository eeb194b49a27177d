import type { SiteSettings } from '../options/site-settings.js';
import { prettyLink } from '../posts/permalink.js';
import type { Taxonomy } from '../types/taxonomy.js';

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
