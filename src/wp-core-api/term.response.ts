import { type LoadedTerm, termLinks } from '../resources/terms/term.response.js';
import type { TermType } from '../resources/terms/term-type.js';
import type { RequestContext } from '../http/request-context.js';
import { termLink } from '../wordpress/terms/term-record.js';
import type { View } from './wp-core-api.dto.js';

/** Makes the JSON of a term in `wp/v2` (docs/behaviour/core-routes.md#tags-and-categories). */
export function toCoreTerm(kind: TermType, { term, path }: LoadedTerm, view: View, context: RequestContext) {
  const isFull = view !== 'embed';
  return {
    id: term.id,
    ...(isFull && { count: term.count, description: term.description }),
    link: termLink(kind, path, context.settings),
    name: term.name,
    slug: term.slug,
    taxonomy: term.taxonomy,
    ...(isFull && kind.hierarchical && { parent: term.parent }),
    ...(isFull && { meta: [] }),
    _links: termLinks(kind, term, context),
  };
}
