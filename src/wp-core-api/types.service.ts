import { Injectable } from '@nestjs/common';
import { forbidden, RestException } from '../common/errors/rest-exception.js';
import { Environment, OWN_NAMESPACE } from '../config/env.js';
import type { RequestContext } from '../http/request-context.js';
import { Resources } from '../resources/base/resources.js';
import { forbiddenContext } from './core-response.js';
import type { CoreQuery, TaxonomiesQuery, View } from './list.dto.js';
import {
  type CoreTaxonomy,
  type CoreType,
  coreTaxonomies,
  coreTypes,
  toTaxonomyResponse,
  toTypeResponse,
} from './types.response.js';

/** Lists post types and taxonomies; `context=edit` requires the right to edit records or assign terms. */
@Injectable()
export class TypesService {
  /** The namespace that links to our own types use. */
  private readonly ownNamespace: string;

  constructor(
    private readonly resources: Resources,
    { apiNamespaces: [first = OWN_NAMESPACE] }: Environment,
  ) {
    this.ownNamespace = first;
  }

  postTypes({ context: view }: CoreQuery, context: RequestContext) {
    const types = coreTypes(this.resources.all()).filter((type) => view !== 'edit' || mayEdit(type, context));
    if (types.length === 0) throw forbidden('You may not edit records of any type.', 'rest_cannot_view');
    return Object.fromEntries(types.map((type) => [type.slug, this.typeResponse(type, view, context)]));
  }

  postType(slug: string, { context: view }: CoreQuery, context: RequestContext) {
    const type = coreTypes(this.resources.all()).find((one) => one.slug === slug);
    if (!type) throw new RestException('not_found', 'rest_type_invalid', 'There is no such post type.');
    if (view === 'edit' && !mayEdit(type, context)) throw forbiddenContext();
    return this.typeResponse(type, view, context);
  }

  private typeResponse(type: CoreType, view: View, { base }: RequestContext) {
    return toTypeResponse(type, view, { base, ownNamespace: this.ownNamespace });
  }

  taxonomies({ context: view, type }: TaxonomiesQuery, context: RequestContext) {
    const all = coreTaxonomies(this.resources.all()).filter(({ types }) => !type || types.includes(type));
    const visible = all.filter((taxonomy) => view !== 'edit' || mayAssign(taxonomy, context));
    if (view === 'edit' && visible.length === 0)
      throw forbidden('You may not give records any terms.', 'rest_cannot_view');
    return Object.fromEntries(
      visible.map((taxonomy) => [taxonomy.slug, toTaxonomyResponse(taxonomy, view, context)]),
    );
  }

  taxonomy(slug: string, { context: view }: CoreQuery, context: RequestContext) {
    const taxonomy = coreTaxonomies(this.resources.all()).find((one) => one.slug === slug);
    if (!taxonomy)
      throw new RestException('not_found', 'rest_taxonomy_invalid', 'There is no such taxonomy.');
    if (view === 'edit' && !mayAssign(taxonomy, context)) throw forbiddenContext();
    return toTaxonomyResponse(taxonomy, view, context);
  }
}

const mayEdit = ({ capabilities }: CoreType, { access }: RequestContext) =>
  access.can(`edit_${capabilities}`);

const mayAssign = ({ capabilities }: CoreTaxonomy, { access }: RequestContext) =>
  access.can(capabilities.assign);
