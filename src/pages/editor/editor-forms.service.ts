import { Injectable } from '@nestjs/common';
import { declaredArgs } from '../../http/params/rest-arg.js';
import type { RequestContext } from '../../http/request-context.js';
import { listQueryClass } from '../../resources/base/declared-field.js';
import { FieldRegistry } from '../../resources/base/field-registry.js';
import type { Resource } from '../../resources/base/resource.js';
import { Resources } from '../../resources/base/resources.js';
import { CATEGORY } from '../../resources/categories/category-type.js';
import { EVENT } from '../../resources/events/event-type.js';
import { ORGANIZER } from '../../resources/organizers/organizer-type.js';
import { TAG } from '../../resources/tags/tag-type.js';
import { VENUE } from '../../resources/venues/venue-type.js';
import type { ResourceForm } from './resource-form.js';

/** The resources whose forms the editor knows by itself. */
const KNOWN: ReadonlySet<Resource> = new Set<Resource>([EVENT, VENUE, ORGANIZER, CATEGORY, TAG]);

/** Describes the fields and resources of plugins for the editor's forms. */
@Injectable()
export class EditorForms {
  constructor(
    private readonly resources: Resources,
    private readonly fields: FieldRegistry,
  ) {}

  /** Whether plugins have declared anything that a form shows. */
  hasAny(): boolean {
    return this.declared().length > 0;
  }

  /** The forms as this user sees them. */
  of(context: RequestContext): ResourceForm[] {
    return this.declared().map((resource) => this.formOf(resource, context));
  }

  private declared(): Resource[] {
    const hasFields = (resource: Resource) => this.fields.declaredOn(resource).size > 0;
    return this.resources.all().filter((resource) => !KNOWN.has(resource) || hasFields(resource));
  }

  private formOf(resource: Resource, { access }: RequestContext): ResourceForm {
    const { path, singular, plural, kind, body } = resource;
    const list = listQueryClass(resource);
    const accepts = declaredArgs(body).map(({ name }) => name);
    const may = (capability: string | undefined) => capability === undefined || access.can(capability);
    return {
      path,
      singular,
      plural,
      isTerm: kind === 'term',
      ...(kind === 'post' && { capabilities: resource.capabilities }),
      isEditable: kind === 'post' && accepts.includes('title') && access.canOfType('edit', resource.type),
      accepts,
      filters: list ? declaredArgs(list).map(({ name }) => name) : [],
      fields: this.fields.describe(resource).flatMap(({ readableBy, writableBy, ...field }) => {
        return may(readableBy) && may(writableBy) ? field : [];
      }),
    };
  }
}
