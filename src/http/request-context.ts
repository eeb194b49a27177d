import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Access } from '../auth/access.js';
import type { CalendarSettings } from '../calendar/calendar-settings.js';
import type { TextCleaner } from '../wordpress/posts/clean-texts.js';
import type { RenderedPosts } from '../wordpress/rendering/renderer.service.js';
import type { Reading, ResponseContext } from './response-context.js';
import type { RestBase } from './rest-request.js';

/** What services need to know of a request: who asks, by which settings, where links point, and when. */
export interface RequestContext {
  access: Access;
  settings: CalendarSettings;
  base: RestBase;
  /** Epoch milliseconds. */
  now: number;
  /** Has the long texts of a write ready. */
  cleaner?: TextCleaner;
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

/** The parameters that open protected records. */
export interface UnlockQuery {
  password?: unknown;
  context?: unknown;
}

/** Who reads, with what opens protected records. */
export function readerOf({ access }: RequestContext, unlock: UnlockQuery): Reading {
  return {
    access,
    password: typeof unlock.password === 'string' ? unlock.password : undefined,
    editing: unlock.context === 'edit',
  };
}

/** The context that response functions take. */
export function responseContext(
  context: RequestContext,
  { render, texts }: RenderedPosts,
  unlock: UnlockQuery = {},
): ResponseContext {
  const { settings, base } = context;
  const now = Math.floor(context.now / 1000);
  return { ...readerOf(context, unlock), settings, base, now, render, texts, embedded: new Map() };
}
