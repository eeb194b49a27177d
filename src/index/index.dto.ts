import { RestArg } from '../http/rest-arg.js';

/** Parameters of the namespace index. */
export class NamespaceIndexQuery {
  @RestArg({
    shownDefault: ({ base }) => base.namespace,
    parse: (value, { base }) => value ?? base.namespace,
    description: 'The namespace to describe.',
  })
  namespace: unknown;
  @RestArg({ default: 'view', description: 'Without effect: there is one view.' })
  context?: unknown;
}
