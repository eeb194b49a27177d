import type { RequestContext } from '../../http/request-context.js';
import { restUrl } from '../../http/rest-request.js';
import { INTEGER, Member, URL_MEMBER } from '../base/member.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import type { TermType } from './term-type.js';

/** The addresses of a term. */
export class TermUrlsJson {
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
export function termUrls({ id, parent }: TermRecord, path: string, { base }: RequestContext): TermUrlsJson {
  const collection = restUrl(base, `/${path}`);
  return {
    self: `${collection}/${id}`,
    collection,
    ...(parent ? { up: `${collection}/${parent}` } : {}),
  };
}
