import { CORE_NAMESPACE } from '../config/env.js';
import type { RequestContext } from './request-context.js';

/** A URL of WordPress's own namespace. */
export const coreUrl = ({ base }: Pick<RequestContext, 'base'>, path: string): string =>
  `${base.root}/${CORE_NAMESPACE}/${path}`;

/** The prefix of the relations that begin with `wp:`. */
export const CURIES = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }];
