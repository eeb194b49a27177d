import { Transform } from 'class-transformer';
import { getContext, type TransformParams } from '../http/params/check-context.js';
import { RestArg } from '../http/params/rest-arg.js';

export class NamespaceIndexQuery {
  @RestArg({ documentedDefault: ({ base }) => base.namespace, description: 'The namespace to describe.' })
  @Transform(({ value, obj }: TransformParams) => value ?? getContext(obj).base.namespace)
  namespace: unknown;
  @RestArg({ default: 'view', description: 'Without effect: there is one view.' })
  context?: unknown;
}
