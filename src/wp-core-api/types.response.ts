import { CORE_NAMESPACE } from '../config/env.js';
import { CURIES, coreUrl } from '../http/core-links.js';
import type { RequestContext } from '../http/request-context.js';
import type { PostResource, Resource, TermResource } from '../resources/base/resource.js';
import type { View } from './list.dto.js';

/** A post type in `wp/v2`. */
export interface CoreType {
  slug: string;
  name: string;
  singular: string;
  hierarchical: boolean;
  restBase: string;
  /** Whether its records are only in the calendar's namespace. */
  isOurs?: boolean;
  taxonomies: readonly string[];
  /** Suffix of its capabilities. */
  capabilities: string;
  icon: string | null;
}

/** A taxonomy in `wp/v2`. */
export interface CoreTaxonomy {
  slug: string;
  name: string;
  singular: string;
  hierarchical: boolean;
  restBase: string;
  types: readonly string[];
  capabilities: { manage: string; assign: string };
}

/** WordPress's built-in types. */
const BUILT_IN_TYPES: readonly CoreType[] = [
  {
    slug: 'post',
    name: 'Posts',
    singular: 'Post',
    hierarchical: false,
    restBase: 'posts',
    taxonomies: ['category', 'post_tag'],
    capabilities: 'posts',
    icon: 'dashicons-admin-post',
  },
  {
    slug: 'page',
    name: 'Pages',
    singular: 'Page',
    hierarchical: true,
    restBase: 'pages',
    taxonomies: [],
    capabilities: 'pages',
    icon: 'dashicons-admin-page',
  },
  {
    slug: 'attachment',
    name: 'Media',
    singular: 'Media',
    hierarchical: false,
    restBase: 'media',
    taxonomies: [],
    capabilities: 'posts',
    icon: 'dashicons-admin-media',
  },
];

const BLOG_CATEGORIES: CoreTaxonomy = {
  slug: 'category',
  name: 'Categories',
  singular: 'Category',
  hierarchical: true,
  restBase: 'categories',
  types: ['post'],
  capabilities: { manage: 'manage_categories', assign: 'edit_posts' },
};

/** The built-in types, then those of resources. */
export function coreTypes(resources: readonly Resource[]): CoreType[] {
  const own = resources.flatMap((resource) => (resource.kind === 'post' ? [typeOf(resource)] : []));
  return [...BUILT_IN_TYPES, ...own];
}

/** The categories of blog posts, then the taxonomies of resources. */
export function coreTaxonomies(resources: readonly Resource[]): CoreTaxonomy[] {
  const types = coreTypes(resources);
  const own = resources.flatMap((resource) =>
    resource.kind === 'term' ? [taxonomyOf(resource, types)] : [],
  );
  return [BLOG_CATEGORIES, ...own];
}

function typeOf(resource: PostResource): CoreType {
  const { type, path, corePath, singular, plural, taxonomies = [], capabilities } = resource;
  return {
    slug: type,
    name: capitalised(plural),
    singular: capitalised(singular),
    hierarchical: false,
    restBase: corePath ?? path,
    isOurs: corePath === undefined,
    taxonomies: taxonomies.map(({ taxonomy }) => taxonomy),
    capabilities,
    icon: null,
  };
}

function taxonomyOf(resource: TermResource, types: readonly CoreType[]): CoreTaxonomy {
  const { taxonomy, singular, plural, hierarchical, corePath = taxonomy, capabilities } = resource;
  const carriers = types.filter((type) => type.taxonomies.includes(taxonomy));
  const [manage = ''] = capabilities.manage.slice(-1);
  return {
    slug: taxonomy,
    name: capitalised(plural),
    singular: capitalised(singular),
    hierarchical,
    restBase: corePath,
    types: carriers.map(({ slug }) => slug),
    capabilities: { manage: resource.coreCapability ?? manage, assign: capabilities.assign },
  };
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

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
