import { CORE_NAMESPACE } from '../config/env.js';
import { CURIES, coreUrl } from '../http/core-links.js';
import type { RequestContext } from '../http/request-context.js';
import type { CoreTaxonomy, CoreType } from './core-kinds.js';
import type { View } from './wp-core-api.dto.js';

type Linked = Pick<RequestContext, 'base'>;

/** Makes the JSON of a post type, without members that only its plugin or theme knows. */
export function toTypeResponse(type: CoreType, view: View, context: Linked & { ownNamespace: string }) {
  const { slug, name, singular, hierarchical, restBase, isOurs, taxonomies, capabilities, icon } = type;
  const namespace = isOurs ? context.ownNamespace : CORE_NAMESPACE;
  return {
    ...(view === 'edit' && { capabilities: postCapabilities(capabilities) }),
    ...(view !== 'embed' && { description: '', hierarchical }),
    ...(view === 'edit' && { viewable: true, labels: { name, singular_name: singular } }),
    name,
    slug,
    icon,
    ...(view !== 'embed' && { taxonomies }),
    rest_base: restBase,
    rest_namespace: namespace,
    _links: kindLinks(context, 'types', `${context.base.root}/${namespace}/${restBase}`),
  };
}

/** Makes the JSON of a taxonomy. */
export function toTaxonomyResponse(taxonomy: CoreTaxonomy, view: View, context: Linked) {
  const { slug, name, singular, hierarchical, restBase, types, capabilities } = taxonomy;
  const { manage, assign } = capabilities;
  return {
    name,
    slug,
    ...(view === 'edit' && {
      capabilities: { manage_terms: manage, edit_terms: manage, delete_terms: manage, assign_terms: assign },
    }),
    ...(view !== 'embed' && { description: '' }),
    ...(view === 'edit' && { labels: { name, singular_name: singular } }),
    ...(view !== 'embed' && { types, hierarchical }),
    rest_base: restBase,
    rest_namespace: CORE_NAMESPACE,
    _links: kindLinks(context, 'taxonomies', coreUrl(context, restBase)),
  };
}

/** `_links` of a post type or taxonomy. */
function kindLinks(context: Linked, collection: string, items: string) {
  return {
    collection: [{ href: coreUrl(context, collection) }],
    'wp:items': [{ href: items }],
    curies: CURIES,
  };
}

const OPERATIONS = ['edit', 'edit_others', 'edit_private', 'edit_published'];
const ALL_OPERATIONS = [
  ...OPERATIONS,
  ...OPERATIONS.map((operation) => operation.replace('edit', 'delete')),
  'publish',
  'read_private',
];

/** Capabilities by WordPress's names, such as `edit_others_posts`. */
function postCapabilities(base: string): Record<string, string> {
  const named = ALL_OPERATIONS.map((operation) => [`${operation}_posts`, `${operation}_${base}`]);
  return { ...Object.fromEntries(named), create_posts: `edit_${base}`, read: 'read' };
}
