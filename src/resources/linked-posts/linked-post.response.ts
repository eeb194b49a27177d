import type { Type } from '@nestjs/common';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { firstMeta, type PostRecord } from '../../wordpress/posts/post-record.js';
import { EMPTY_LIST, membersOf, withMembers } from '../base/member.js';
import { CalendarJson, PostJson } from '../base/post-json.js';

/** The name of a venue or organizer; an empty list while locked, as recorded. */
export const NAME = {
  anyOf: [{ type: 'string' }, EMPTY_LIST],
  blank: [],
  optional: true,
} as const;

/** The members that venues and organizers share. */
export class LinkedPostJson extends withMembers(PostJson, CalendarJson) {}

/** The members of a class that meta rows store, as stored. */
export function storedTexts<Texts extends object>(type: Type<Texts>, post: PostRecord): Texts {
  const texts: Record<string, string | undefined> = {};
  for (const [name, { metaKey }] of membersOf(type)) if (metaKey) texts[name] = firstMeta(post, metaKey);
  return texts as Texts;
}

/** Omits members that PHP considers empty, as recorded of venues and organizers. */
export function withoutEmpty<T extends object>(body: T): T {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => !isPhpEmpty(value))) as T;
}
