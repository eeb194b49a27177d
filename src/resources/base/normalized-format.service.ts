import { Injectable, type Type } from '@nestjs/common';
import type { RequestContext } from '../../http/request-context.js';
import { normalizeRecord } from './normalized-format.js';
import { FieldRegistry } from './field-registry.js';
import { allMembersOf } from './json-schema.js';
import type { MemberOptions } from './member.js';
import type { Resource } from './resource.js';
import { Resources } from './resources.js';

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
