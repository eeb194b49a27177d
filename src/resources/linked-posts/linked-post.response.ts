import type { Type } from '@nestjs/common';
import { EMPTY_LIST, membersOf, withMembers } from '../base/member.js';
import { CalendarJson, PostJson } from '../base/post-json.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { firstMeta, type PostRecord } from '../../wordpress/posts/post-record.js';

/** The name of a venue or organizer, which a password makes an empty list, as recorded. */
export const NAME = {
  anyOf: [{ type: 'string' }, EMPTY_LIST],
  blank: [],
  optional: true,
} as const;

/** What is shown of venues and organizers alike. */
export class LinkedPostJson extends withMembers(PostJson, CalendarJson) {}

/** The members of a class that are meta rows, as they are stored. */
export function storedTexts<Texts extends object>(type: Type<Texts>, post: PostRecord): Texts {
  const texts: Record<string, string | undefined> = {};
  for (const [name, { meta }] of membersOf(type)) if (meta) texts[name] = firstMeta(post, meta);
  return texts as Texts;
}

/** Leaves out the members that PHP takes for empty, as venues and organizers are sent. */
export function withoutEmpty<T extends object>(body: T): T {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => !isPhpEmpty(value))) as T;
}
