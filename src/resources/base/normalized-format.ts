import type { Type } from '@nestjs/common';
import { toUtc } from '../../lib/wordpress-text/dates/convert.js';
import { formatIso, formatWallClock, parseWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { htmlEntityDecode } from '../../lib/wordpress-text/formatting/html-entity-decode.js';
import { isNumeric } from '../../lib/wordpress-text/formatting/php-number.js';
import { wpStripAllTags } from '../../lib/wordpress-text/formatting/wp-strip-all-tags.js';
import { DIGITS, type MemberOptions, type MemberSchema } from './member.js';

/** What cleaning asks: the members of a class, those that plugins declare included, and the site's zone. */
export interface CleanTools {
  members: (type: Type<object>) => ReadonlyMap<string, MemberOptions>;
  zone: string;
}

/** What a member is in the clean form, whatever is written in the ordinary one where there is none. */
export type CleanShape =
  | { kind: 'record'; type: Type<object> }
  | { kind: 'map' | 'list'; items: MemberOptions }
  | { kind: 'text' | 'number' | 'integer' | 'boolean' | 'date' | 'other' };

const DAY = 86_400;

type Values = Readonly<Record<string, unknown>>;

/**
 * A record in the clean form, by what its class says of its members (docs/behaviour/additions.md#clean-form). Members that nobody
 * declares stay as they are; those that were left out are there, unless `isWhole` says that some were not asked for.
 */
export function cleanRecord(type: Type<object>, json: object, tools: CleanTools, isWhole = true): object {
  const members = tools.members(type);
  const clean = Object.entries(json).flatMap(([name, value]) => {
    const member = members.get(name);
    if (member?.isDouble) return [];
    return [[name, member ? cleanValue(member, value, json as Values, tools) : value] as const];
  });
  const missing = [...members].filter(
    ([name, { isDouble, isExtra }]) => isWhole && !(name in json) && !isDouble && !isExtra,
  );
  const filled = missing.map(([name, member]) => [name, cleanValue(member, undefined, {}, tools)] as const);
  return Object.fromEntries([...clean, ...filled]);
}

/** Which shape a member has: the one that its schema names besides `false` and empty lists. */
export function cleanShape(member: MemberOptions): CleanShape {
  const { type, anyOf = [], allOf, items = {}, additionalProperties, pattern, utc } = member;
  if (utc !== undefined) return { kind: 'date' };
  if (typeof type === 'function') return { kind: 'record', type };
  if (allOf?.[0]) return { kind: 'record', type: allOf[0] };
  const [one] = anyOf.filter((other) => typeof other === 'function' || isMore(other));
  if (one) return cleanShape(asMember(one));
  if (additionalProperties) return { kind: 'map', items: asMember(additionalProperties) };
  const [named] = [type ?? 'object'].flat().filter((name) => name !== 'null');
  if (named === 'array') return { kind: 'list', items: asMember(items) };
  if (named === 'string') return { kind: pattern === DIGITS ? 'integer' : 'text' };
  return { kind: named === 'integer' || named === 'number' || named === 'boolean' ? named : 'other' };
}

/** A text without tags and entities, as people read it. */
function plainText(text: string): string {
  const bare = text.includes('<') ? wpStripAllTags(text) : text;
  return htmlEntityDecode(bare);
}

const isMore = ({ type, const: constant }: MemberSchema): boolean =>
  constant === undefined && type !== 'array' && type !== 'null';

const asMember = (schema: MemberSchema | Type<object>): MemberOptions =>
  typeof schema === 'function' ? { type: schema } : schema;

function cleanValue(member: MemberOptions, value: unknown, owner: Values, tools: CleanTools): unknown {
  const shape = cleanShape(member);
  switch (shape.kind) {
    case 'record': {
      const one: unknown = Array.isArray(value) ? value[0] : value;
      return isObject(one) ? cleanRecord(shape.type, one, tools) : null;
    }
    case 'map': {
      const entries = isObject(value) && !Array.isArray(value) ? Object.entries(value) : [];
      return Object.fromEntries(
        entries.map(([name, item]) => [name, cleanValue(shape.items, item, owner, tools)]),
      );
    }
    case 'list':
      return Array.isArray(value) ? value.map((item) => cleanValue(shape.items, item, owner, tools)) : [];
    case 'date':
      return cleanDate(member, value, owner, tools.zone);
    case 'integer':
    case 'number':
      return isNumeric(value) ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'text':
      if (typeof value !== 'string' && typeof value !== 'number') return null;
      return member.isHtml ? value : plainText(String(value));
    case 'other':
      return value ?? null;
  }
}

/** With the offset that it has to the same time in UTC; without one, by the rules of its zone. */
function cleanDate(
  { utc, zone }: MemberOptions,
  value: unknown,
  owner: Values,
  siteZone: string,
): string | null {
  const wall = wallOf(value);
  if (wall === undefined) return null;
  if (utc === true) return formatUtc(wall);
  const own = owner[zone ?? ''];
  const stored =
    wallOf(owner[utc ?? '']) ?? wallOf(toUtc(String(value), typeof own === 'string' && own ? own : siteZone));
  const offset = wall - (stored ?? wall);
  return canBeWritten(offset) ? formatIso(wall, offset) : formatUtc(wall - offset);
}

/** Whether ISO 8601 has an offset: whole minutes of less than a day. Stored times may contradict each other. */
const canBeWritten = (offset: number): boolean => Math.abs(offset) < DAY && offset % 60 === 0;

const formatUtc = (wall: number): string => `${formatWallClock(wall).replace(' ', 'T')}Z`;

/** Wall seconds of a stored date; undefined for zero dates, and for what is none. */
function wallOf(value: unknown): number | undefined {
  return typeof value === 'string' && !value.startsWith('0000') ? parseWallClock(value) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
