import { Transform } from 'class-transformer';
import { contextOf, type Given } from '../http/params/check-context.js';
import { RestArg } from '../http/params/rest-arg.js';

/** Parameters of the namespace index. */
export class NamespaceIndexQuery {
  @RestArg({ shownDefault: ({ base }) => base.namespace, description: 'The namespace to describe.' })
  @Transform(({ value, obj }: Given) => value ?? contextOf(obj).base.namespace)
  namespace: unknown;
  @RestArg({ default: 'view', description: 'Without effect: there is one view.' })
  context?: unknown;
}
