import { CORE_NAMESPACE } from '../config/env.js';
import type { RequestContext } from './request-context.js';

/** An address of WordPress's own namespace. */
export const coreUrl = ({ base }: Pick<RequestContext, 'base'>, path: string): string =>
  `${base.root}/${CORE_NAMESPACE}/${path}`;

/** What the relations that begin with `wp:` mean. */
export const CURIES = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }];
