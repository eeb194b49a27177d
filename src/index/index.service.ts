import { Injectable } from '@nestjs/common';
import { Environment } from '../config/env.js';
import type { RequestContext } from '../http/request-context.js';
import { Refusal } from '../errors/refusal.js';
import type { NamespaceIndexQuery } from './index.dto.js';
import { toRecordedDocument } from './recorded-document.js';
import { toRouteObject } from './route-object.js';
import { indexPattern, RouteTable } from './route-table.js';

/** Says what there is: every route with its methods and parameters. */
@Injectable()
export class IndexService {
  constructor(
    private readonly env: Environment,
    private readonly table: RouteTable,
  ) {}

  /** The index of a namespace; 404 `rest_invalid_namespace` for one that is not served. */
  namespace({ namespace }: NamespaceIndexQuery, context: RequestContext): Record<string, unknown> {
    if (typeof namespace !== 'string' || !this.env.apiNamespaces.includes(namespace))
      throw new Refusal('missing', 'rest_invalid_namespace', 'There is no such namespace.');
    const { root } = context.base;
    const asked = { ...context, base: { root, namespace } };
    return {
      namespace,
      routes: Object.fromEntries(
        this.table
          .routes()
          .map((route) => [`/${namespace}${indexPattern(route)}`, toRouteObject(route, asked)]),
      ),
      _links: { up: [{ href: `${root}/` }] },
    };
  }

  /** What OPTIONS answers for a path: its route, or an empty list where there is none. */
  route(path: string, context: RequestContext): unknown {
    const route = this.table.match(path);
    return route ? toRouteObject(route, context) : [];
  }

  /** The OpenAPI document of `/doc`. */
  document({ base }: RequestContext): unknown {
    return toRecordedDocument(this.table.routes(), base);
  }
}
