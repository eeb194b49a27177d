import { Injectable, type Type } from '@nestjs/common';
import type { RequestContext } from '../../http/request-context.js';
import { cleanRecord } from './normalized-format.js';
import { FieldRegistry } from './field-registry.js';
import { allMembersOf } from './json-schema.js';
import type { MemberOptions } from './member.js';
import type { Resource } from './resource.js';
import { Resources } from './resources.js';

/** Shows records in the clean form, with what plugins declare on them and on what is shown inside them. */
@Injectable()
export class NormalizedFormat {
  private readonly known = new Map<Type<object>, ReadonlyMap<string, MemberOptions>>();

  constructor(
    private readonly resources: Resources,
    private readonly fields: FieldRegistry,
  ) {}

  /** A record as it is asked for by `_format`, as it is without. `isWhole`: nothing was taken out of it. */
  of<Json extends object>(
    { json: type }: Resource,
    json: Json,
    format: string | undefined,
    { settings }: Pick<RequestContext, 'settings'>,
    isWhole = true,
  ): Json {
    if (format !== 'clean') return json;
    const tools = { members: (one: Type<object>) => this.membersOf(one), zone: settings.zone };
    return cleanRecord(type, json, tools, isWhole) as Json;
  }

  private membersOf(type: Type<object>): ReadonlyMap<string, MemberOptions> {
    const known = this.known.get(type) ?? allMembersOf(type, this.resources.all(), this.fields);
    this.known.set(type, known);
    return known;
  }
}
