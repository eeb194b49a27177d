import { forbidden, invalidParameter, RestException } from '../../common/errors/rest-exception.js';
import type { RequestContext } from '../../http/request-context.js';
import type { TermType } from '../base/resource.js';

/** Throws unless the caller may create, change and delete terms of a taxonomy. */
export function checkRights(
  { taxonomy, plural }: TermType,
  operation: 'create' | 'update' | 'delete',
  { access }: RequestContext,
): void {
  if (!access.mayManageTerms(taxonomy)) throw forbidden(`You may not ${operation} ${plural}.`);
}

/** Throws for the parent of a term whose taxonomy has none. */
export function checkParent({ hierarchical, plural }: TermType, parent: number | undefined): void {
  if (parent !== undefined && !hierarchical)
    throw new RestException(
      'invalid',
      'rest_taxonomy_not_hierarchical',
      `parent: ${plural} have no parents.`,
    );
}

/** Throws for an unknown id. */
export function knownTerm<T>({ singular }: TermType, found: T | undefined): T {
  if (!found) throw invalidParameter('id', `id is not the id of an existing ${singular}.`);
  return found;
}
