import { type CleaningRights, TextCleaner } from '../wordpress/posts/clean-texts.js';
import type { WriteSite } from '../wordpress/posts/write-site.js';
import type { RequestContext } from './request-context.js';

/** What the writers of rows take of a request. */
export function writeSite({ settings, now, access }: RequestContext): WriteSite {
  return { settings, now, userId: access.user.id };
}

/** What the caller's texts are cleaned by. */
export function cleaningRights({ settings, access }: RequestContext): CleaningRights {
  return { unfiltered: access.can('unfiltered_html'), uploadsUrl: settings.render.uploadsUrl };
}

/** Cleans texts by the caller's rights: the cleaner that was prepared for this write, if one was. */
export function textCleaner(context: RequestContext): TextCleaner {
  return context.cleaner ?? new TextCleaner(cleaningRights(context));
}
