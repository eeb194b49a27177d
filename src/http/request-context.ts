import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Access } from '../auth/access.js';
import type { CalendarSettings } from '../calendar/calendar-settings.js';
import { TextCleaner } from '../wordpress/posts/text-cleaner.js';
import type { PostRecord } from '../wordpress/posts/post-record.js';
import type { ContentTypes } from '../wordpress/types/content-types.js';
import type { CapabilityUser } from '../wordpress/users/capabilities.js';
import type { RestBase } from './rest-request.js';

/** What services need to know of a request: who asks, by which settings, where links point, and when. */
export interface RequestContext {
  access: Access;
  settings: CalendarSettings;
  base: RestBase;
  /** Epoch milliseconds. What is made of it says so by `lasts`. */
  now: number;
  /** Until when the answer would be the same, as far as time goes; in epoch milliseconds. */
  present: { until: number };
  /** Whether records of a list may be given as `JsonText`: it is answered whole, to anybody. */
  allowSerialized?: boolean;
  /** Whether a single record may be too: nobody but us sees it before it is sent. */
  allowSerializedSingle?: boolean;
  /** The one record that is answered, as it was read for that: `Allow` need not read it again. */
  loadedRecord?: PostRecord;
  /** Cleans texts by the caller's rights; has the long texts of a write ready. */
  cleaner: TextCleaner;
}

/**
 * A context with further members, in place of those that it has of these names. They are put in first as well, so that V8 knows
 * what comes of it (docs/performance.md#kinds-of-objects).
 */
export const withMembers = <Base extends RequestContext, More extends object>(
  context: Base,
  members: More,
): Base & More => Object.assign({}, members, context, members);

/** The context of what somebody, or nobody, asks for. */
export function makeContext(
  user: CapabilityUser | null,
  { settings, base, now }: Pick<RequestContext, 'settings' | 'base' | 'now'>,
  types: ContentTypes,
): RequestContext {
  const access = new Access(user, settings, types);
  const { uploadsUrl } = settings.render;
  const cleaner = new TextCleaner({ unfiltered: access.can('unfiltered_html'), uploadsUrl });
  return { access, settings, base, now, cleaner, present: { until: Number.POSITIVE_INFINITY } };
}

/** Notes that something was made of `now` that is the same until then: by default, for this second at least. */
export function limitCacheUntil(
  { present, now }: Pick<RequestContext, 'present' | 'now'>,
  until = endOf(now, 1000),
) {
  present.until = Math.min(present.until, until);
}

/** When the second, hour … that a time falls into is over; all in milliseconds. */
export const endOf = (now: number, length: number): number => (Math.floor(now / length) + 1) * length;

/** Marks a handler's argument that `ParametersPipe` fills with a `RequestContext`. */
export class ContextArgument {
  constructor(readonly request: Request) {}
}

/** What `@Context` hands to the pipe. */
export const contextArgument = (_: unknown, execution: ExecutionContext) =>
  new ContextArgument(execution.switchToHttp().getRequest<Request>());

/** The request's context: `@Context() context: RequestContext`. */
export const Context = createParamDecorator(contextArgument);
