import { Injectable, type Type } from '@nestjs/common';
import { mapValues } from '../../common/map-values.js';
import type { RequestContext } from '../../http/request-context.js';
import { isoUtc, isoWithUtc, toUtc } from '../../lib/wordpress-text/dates/convert.js';
import { parseWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { htmlEntityDecode } from '../../lib/wordpress-text/formatting/html-entity-decode.js';
import { isNumeric } from '../../lib/wordpress-text/formatting/php-number.js';
import { wpStripAllTags } from '../../lib/wordpress-text/formatting/php-strings.js';
import { FieldRegistry } from './field-registry.js';
import { allMembersOf } from './json-schema.js';
import { DIGITS, type MemberOptions, type MemberSchema } from './member.js';
import type { Resource } from './resource.js';
import { Resources } from './resources.js';

/** The members of a class, declared fields included, and the site's zone. */
interface NormalizeContext {
  members: (type: Type<object>) => ReadonlyMap<string, MemberOptions>;
  zone: string;
}

type NormalizedShape =
  | { kind: 'record'; type: Type<object> }
  | { kind: 'map' | 'list'; items: MemberOptions }
  | { kind: 'object'; properties: Readonly<Record<string, MemberSchema>> }
  | { kind: 'text' | 'number' | 'integer' | 'boolean' | 'date' | 'other' };

type Values = Readonly<Record<string, unknown>>;

/**
 * Converts a record to the normalized format by its member declarations (docs/behaviour/additions.md#clean-form).
 * Undeclared members stay; omitted members are filled in if `isWhole` says that none were filtered out.
 */
export function normalizeRecord(
  type: Type<object>,
  json: object,
  tools: NormalizeContext,
  isWhole = true,
): object {
  const members = tools.members(type);
  const clean = Object.entries(json).flatMap(([name, value]) => {
    const member = members.get(name);
    if (member?.isRedundant) return [];
    return [[name, member ? normalizeValue(member, value, json as Values, tools) : value] as const];
  });
  const missing = [...members].filter(
    ([name, { isRedundant, isConditional }]) => isWhole && !(name in json) && !isRedundant && !isConditional,
  );
  const filled = missing.map(
    ([name, member]) => [name, normalizeValue(member, undefined, {}, tools)] as const,
  );
  return Object.fromEntries([...clean, ...filled]);
}

/** The shape of a member, ignoring `false` and empty lists in its schema. */
export function normalizedShape(member: MemberOptions): NormalizedShape {
  const { type, anyOf = [], allOf, items = {}, additionalProperties, properties, pattern, utc } = member;
  if (utc !== undefined) return { kind: 'date' };
  if (typeof type === 'function') return { kind: 'record', type };
  if (allOf?.[0]) return { kind: 'record', type: allOf[0] };
  const [one] = anyOf.filter((other) => typeof other === 'function' || isMore(other));
  if (one) return normalizedShape(asMember(one));
  if (properties) return { kind: 'object', properties };
  if (additionalProperties) return { kind: 'map', items: asMember(additionalProperties) };
  const [named] = [type ?? 'object'].flat().filter((name) => name !== 'null');
  if (named === 'array') return { kind: 'list', items: asMember(items) };
  if (named === 'string') return { kind: pattern === DIGITS ? 'integer' : 'text' };
  return { kind: named === 'integer' || named === 'number' || named === 'boolean' ? named : 'other' };
}

/** Strips tags and decodes entities. */
function plainText(text: string): string {
  const bare = text.includes('<') ? wpStripAllTags(text) : text;
  return htmlEntityDecode(bare);
}

const isMore = ({ type, const: constant }: MemberSchema): boolean =>
  constant === undefined && type !== 'array' && type !== 'null';

const asMember = (schema: MemberSchema | Type<object>): MemberOptions =>
  typeof schema === 'function' ? { type: schema } : schema;

function normalizeValue(
  member: MemberOptions,
  value: unknown,
  owner: Values,
  tools: NormalizeContext,
): unknown {
  const shape = normalizedShape(member);
  switch (shape.kind) {
    case 'record': {
      const one: unknown = Array.isArray(value) ? value[0] : value;
      return isObject(one) ? normalizeRecord(shape.type, one, tools) : null;
    }
    case 'map': {
      const entries = isObject(value) && !Array.isArray(value) ? Object.entries(value) : [];
      return Object.fromEntries(
        entries.map(([name, item]) => [name, normalizeValue(shape.items, item, owner, tools)]),
      );
    }
    case 'object':
      return isObject(value)
        ? mapValues(shape.properties, (one, name) =>
            normalizeValue(one, (value as Values)[name], value as Values, tools),
          )
        : null;
    case 'list':
      return Array.isArray(value) ? value.map((item) => normalizeValue(shape.items, item, owner, tools)) : [];
    case 'date':
      return normalizeDate(member, value, owner, tools.zone);
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

/** Formats a wall clock with its offset to the stored UTC time, or else by the rules of its zone. */
function normalizeDate(
  { utc, zone }: MemberOptions,
  value: unknown,
  owner: Values,
  siteZone: string,
): string | null {
  const wall = wallOf(value);
  if (wall === undefined) return null;
  if (utc === true) return isoUtc(wall);
  const own = owner[zone ?? ''];
  const stored =
    wallOf(owner[utc ?? '']) ?? wallOf(toUtc(String(value), typeof own === 'string' && own ? own : siteZone));
  return isoWithUtc(wall, stored);
}

/** Wall seconds of a stored date; undefined for zero dates and invalid texts. */
function wallOf(value: unknown): number | undefined {
  return typeof value === 'string' && !value.startsWith('0000') ? parseWallClock(value) : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Converts records to the normalized format (`_format=clean`), including declared fields and embedded records. */
@Injectable()
export class NormalizedFormat {
  private readonly known = new Map<Type<object>, ReadonlyMap<string, MemberOptions>>();

  constructor(
    private readonly resources: Resources,
    private readonly fields: FieldRegistry,
  ) {}

  /** Returns the record in the requested format; `isWhole` says that no member was filtered out. */
  of<Json extends object>(
    { json: type }: Resource,
    json: Json,
    format: string | undefined,
    { settings }: Pick<RequestContext, 'settings'>,
    isWhole = true,
  ): Json {
    if (format !== 'clean') return json;
    const tools = { members: (one: Type<object>) => this.membersOf(one), zone: settings.zone };
    return normalizeRecord(type, json, tools, isWhole) as Json;
  }

  private membersOf(type: Type<object>): ReadonlyMap<string, MemberOptions> {
    const known = this.known.get(type) ?? allMembersOf(type, this.resources.all(), this.fields);
    this.known.set(type, known);
    return known;
  }
}
