import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Access } from '../auth/access.js';
import type { CalendarSettings } from '../calendar/calendar-settings.js';
import type { PostRecord } from '../wordpress/posts/post-record.js';
import { TextCleaner } from '../wordpress/posts/text-cleaner.js';
import type { ContentTypes } from '../wordpress/types/content-types.js';
import type { CapabilityUser } from '../wordpress/users/capabilities.js';
import { RequestTime } from './request-time.js';
import type { RestBase } from './rest-request.js';
import type { Preconditions } from './safe-writes/preconditions.js';

/** What services need to know of a request: its user's rights, the site's settings, where links point, and the time. */
export interface RequestContext {
  readonly access: Access;
  readonly settings: CalendarSettings;
  readonly base: RestBase;
  /** Gives values that depend on the time together with their expiry. */
  readonly time: RequestTime;
  /** Posts by id that single reads and writes of the request have loaded: `Allow` needs them again. */
  readonly loaded: Map<number, PostRecord>;
  /** Whether lists may hold records as `SerializedJson`: the response is public and sent whole. */
  readonly allowSerialized?: boolean;
  /** Cleans texts by the user's rights; has the long texts of a write ready. */
  readonly cleaner: TextCleaner;
  /** The conditions of a write, such as `If-Match`. */
  readonly preconditions?: Preconditions;
}

/** The context of a write: its response is never cached, so that it may use the time as it is. */
export interface WriteContext extends RequestContext {
  /** Epoch milliseconds. */
  readonly now: number;
}

export const toWriteContext = <Context extends RequestContext>(context: Context): Context & WriteContext => ({
  ...context,
  now: RequestTime.ofWrite(context.time),
});

/** The context of what a user, or an anonymous client, requests. */
export function makeContext(
  user: CapabilityUser | null,
  { settings, base, time }: Pick<RequestContext, 'settings' | 'base' | 'time'>,
  types: ContentTypes,
): RequestContext {
  const access = new Access(user, settings, types);
  const { uploadsUrl } = settings.render;
  const cleaner = new TextCleaner({ unfiltered: access.can('unfiltered_html'), uploadsUrl });
  return { access, settings, base, time, loaded: new Map(), cleaner };
}

/** Marks a handler's argument that `ParametersPipe` fills with a `RequestContext`. */
export class ContextArgument {
  constructor(readonly request: Request) {}
}

/** What `@Context` hands to the pipe. */
export const contextArgument = (_: unknown, execution: ExecutionContext) =>
  new ContextArgument(execution.switchToHttp().getRequest<Request>());

/** The request's context: `@Context() context: RequestContext`. */
export const Context = createParamDecorator(contextArgument);
