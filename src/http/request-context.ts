import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Access } from '../auth/access.js';
import type { RenderContext } from '../wordpress/formatting/render-context.js';
import type { SiteSettings } from '../wordpress/options/site-settings.js';
import type { ResponseContext } from './response-context.js';
import type { RestBase } from './rest-request.js';

/** What services need to know of a request: who asks, by which settings, where links point, and when. */
export interface RequestContext {
  access: Access;
  settings: SiteSettings;
  base: RestBase;
  /** Epoch milliseconds. */
  now: number;
}

/** Marks a handler's argument that `ParametersPipe` fills with a `RequestContext`. */
export class WantsContext {
  constructor(readonly request: Request) {}
}

/** The request's context: `@Context() context: RequestContext`. */
export const Context = createParamDecorator(
  (_: unknown, execution: ExecutionContext) =>
    new WantsContext(execution.switchToHttp().getRequest<Request>()),
);

/** The context that response functions take. */
export function responseContext(
  { access, settings, base, now }: RequestContext,
  render: RenderContext,
  unlock: { password?: unknown; context?: unknown } = {},
): ResponseContext {
  return {
    access,
    settings,
    base,
    render,
    password: typeof unlock.password === 'string' ? unlock.password : undefined,
    editing: unlock.context === 'edit',
    now: Math.floor(now / 1000),
    embedded: new Map(),
  };
}
