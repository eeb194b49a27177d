import { CURIES, coreUrl } from '../../http/core-links.js';
import { listItems } from '../../http/params/fields.js';
import type { RequestContext } from '../../http/request-context.js';
import { restUrl } from '../../http/rest-request.js';
import { type TermRecord, termLink } from '../../wordpress/terms/term-record.js';
import { EMPTY_LIST, INTEGER, Member, URL_MEMBER } from '../base/member.js';
import type { TermType } from '../base/resource.js';

class TermUrlsJson {
  @Member(URL_MEMBER) self: string;
  @Member(URL_MEMBER) collection: string;
  @Member({ ...URL_MEMBER, optional: true }) up?: string;
}

/** The JSON of a term inside an event. */
export class EventTermJson {
  @Member() name: string;
  @Member() slug: string;
  @Member(INTEGER) term_group: number;
  @Member(INTEGER) term_taxonomy_id: number;
  @Member() taxonomy: string;
  @Member({ isHtml: true }) description: string;
  @Member(INTEGER) parent: number;
  @Member(INTEGER) count: number;
  @Member() filter: 'raw';
  @Member(INTEGER) id: number;
  @Member({ type: TermUrlsJson }) urls: TermUrlsJson;
}

/** Makes the JSON of a term inside an event (docs/behaviour/terms.md#terms-of-an-event). */
export function toEventTerm(term: TermRecord, { path }: TermType, context: RequestContext): EventTermJson {
  return {
    name: term.name,
    slug: term.slug,
    term_group: term.termGroup,
    term_taxonomy_id: term.termTaxonomyId,
    taxonomy: term.taxonomy,
    description: term.description,
    parent: term.parent,
    count: term.count,
    filter: 'raw',
    id: term.id,
    urls: termUrls(term, path, context),
  };
}

/** The addresses of a term, its list and its parent. */
function termUrls({ id, parent }: TermRecord, path: string, { base }: RequestContext): TermUrlsJson {
  const collection = restUrl(base, `/${path}`);
  return {
    self: `${collection}/${id}`,
    collection,
    ...(parent ? { up: `${collection}/${parent}` } : {}),
  };
}

/** A term with everything that its JSON needs. */
export interface LoadedTerm {
  term: TermRecord;
  /** Slugs from the topmost ancestor down to the term itself. */
  path: readonly string[];
}

/** Links into `wp/v2`, by relation. */
type TermLinks = Record<'self' | 'collection' | 'about' | 'curies' | 'wp:post_type', TermLink[]> & {
  up?: TermLink[];
};

export interface TermLink {
  href: string;
  [hint: string]: unknown;
}

/** The JSON of a term. */
export class TermJson {
  @Member(INTEGER) id: number;
  @Member(INTEGER) count: number;
  @Member({ isHtml: true }) description: string;
  @Member() name: string;
  @Member() slug: string;
  @Member() taxonomy: string;
  @Member({ ...INTEGER, description: 'Categories only; 0 at the top.', optional: true }) parent?: number;
  @Member(EMPTY_LIST) meta: [];
  @Member({ description: 'Its page on the site; made of slugs as they are stored.' }) url: string;
  @Member({ type: TermUrlsJson }) urls: TermUrlsJson;
  @Member({
    type: 'object',
    description: "Links into WordPress's own interface; not in lists.",
    optional: true,
    isConditional: true,
  })
  _links?: TermLinks;
  @Member({
    type: 'object',
    description: 'The parent, if `_embed` asks for it.',
    optional: true,
    isConditional: true,
  })
  _embedded?: { up: object[] };
}

/** A parent embedded in the response for a term. */
type EmbeddedTerm = Required<Pick<TermJson, 'id' | 'name' | 'slug' | 'taxonomy' | '_links'>> & {
  link: string;
};

/** The selected members of a term. */
export type TermJsonView = Partial<TermJson>;

const EMBED_MEMBERS = ['id', 'name', 'slug', 'taxonomy', 'url', 'urls'];

/**
 * Makes the JSON of a term (docs/behaviour/terms.md#members-of-a-term) with declared fields, reduced by `context` and
 * `_fields`.
 */
export function toTermResponse(
  kind: TermType,
  loaded: LoadedTerm,
  context: RequestContext,
  view: TermView & { inList: boolean },
  declared: object = {},
): TermJsonView {
  const { term } = loaded;
  const members: TermJson = {
    id: term.id,
    count: term.count,
    description: term.description,
    name: term.name,
    slug: term.slug,
    taxonomy: term.taxonomy,
    ...(kind.hierarchical ? { parent: term.parent } : {}),
    meta: [],
    url: termLink(kind, loaded.path, context.settings),
    urls: termUrls(term, kind.path, context),
    ...declared,
  };
  return selectMembers(members, view);
}

interface TermView {
  context?: unknown;
  _fields?: unknown;
}

/** Whether all members are selected. */
export const isWhole = ({ context, _fields }: TermView): boolean =>
  hasAll(context) && listItems(_fields ?? []).length === 0;

const hasAll = (context: unknown): boolean =>
  context === undefined || context === 'view' || context === 'edit';

function selectMembers(
  members: TermJson,
  { context, _fields, inList }: TermView & { inList: boolean },
): TermJsonView {
  const byContext = hasAll(context) ? Object.keys(members) : context === 'embed' ? EMBED_MEMBERS : [];
  const requested = listItems(_fields ?? []);
  // As recorded: `_fields` always drops `url`, and items of lists always have `id` and `urls`.
  const selected =
    requested.length === 0
      ? byContext
      : byContext.filter(
          (name) => name !== 'url' && (requested.includes(name) || (inList && /^(id|urls)$/.test(name))),
        );
  return Object.fromEntries(Object.entries(members).filter(([name]) => selected.includes(name)));
}

/** Whether `_embed` requests the parent: an empty value requests everything, otherwise it lists relations. */
export function embedsParent(embed: unknown): boolean {
  if (embed === undefined) return false;
  const requested = listItems(embed);
  return requested.length === 0 || requested.some((name) => /^(1|true|up)$/.test(name));
}

/** An embedded parent in the short form of `wp/v2` (docs/behaviour/parameters.md#shaping-the-response). */
export function toEmbeddedTerm(
  kind: TermType,
  { term, path }: LoadedTerm,
  context: RequestContext,
): EmbeddedTerm {
  return {
    id: term.id,
    link: termLink(kind, path, context.settings),
    name: term.name,
    slug: term.slug,
    taxonomy: term.taxonomy,
    _links: termLinks(kind, term, context),
  };
}

/** `_links` of a single term, which point into `wp/v2`. */
export function termLinks(kind: TermType, { id, parent }: TermRecord, context: RequestContext): TermLinks {
  const core = (path: string) => coreUrl(context, path);
  const mayWrite = context.access.can(kind.coreCapability);
  return {
    self: [
      {
        href: core(`${kind.corePath}/${id}`),
        targetHints: { allow: mayWrite ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : ['GET'] },
      },
    ],
    collection: [{ href: core(kind.corePath) }],
    about: [{ href: core(`taxonomies/${kind.taxonomy}`) }],
    ...(parent ? { up: [{ embeddable: true, href: core(`${kind.corePath}/${parent}`) }] } : {}),
    'wp:post_type': kind.corePostTypes.map((type) => ({
      href: core(`${type}?${kind.coreParameter}=${id}`),
    })),
    curies: CURIES,
  };
}
