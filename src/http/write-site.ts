import { TextCleaner } from '../wordpress/posts/clean-texts.js';
import type { WriteSite } from '../wordpress/posts/write-site.js';
import type { RequestContext } from './request-context.js';

/** What the writers of rows take of a request. */
export function writeSite({ settings, now, access }: RequestContext): WriteSite {
  return { settings, now, userId: access.user.id };
}

/** Cleans texts by the caller's rights. */
export function textCleaner({ settings, access }: RequestContext): TextCleaner {
  return new TextCleaner(access.can('unfiltered_html'), settings.render.uploadsUrl);
}
