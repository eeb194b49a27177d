import type { PostResource, Resource, TermResource } from '../resources/base/resource.js';

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
