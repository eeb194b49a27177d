import { Injectable } from '@nestjs/common';
import { RestException } from '../common/errors/rest-exception.js';
import { CORE_NAMESPACE, Environment } from '../config/env.js';
import type { RequestContext } from '../http/request-context.js';
import { FEEDS_BASE, type RestRequest, ROOT_BASE } from '../http/rest-request.js';
import { findZone, offsetAt, UTC } from '../lib/wordpress-text/dates/zones.js';
import type { NamespaceIndexQuery } from './index.dto.js';
import { toRecordedDocument } from './recorded-document.js';
import { toRouteObject } from './route-object.js';
import { indexPattern, type Route, RouteTable } from './route-table.js';
import { isOfWebhooks } from './route-words.js';

type Routes = Record<string, Record<string, unknown>>;

/** Builds the indexes of routes with their methods and parameters. */
@Injectable()
export class IndexService {
  constructor(
    private readonly env: Environment,
    private readonly table: RouteTable,
  ) {}

  /** The index of a namespace; throws 404 `rest_invalid_namespace` if it is not served. */
  namespace({ namespace }: NamespaceIndexQuery, context: RequestContext) {
    if (typeof namespace !== 'string' || !this.env.apiNamespaces.includes(namespace))
      throw new RestException('not_found', 'rest_invalid_namespace', 'There is no such namespace.');
    return toNamespaceIndex(namespace, this.routes(namespace, context), context);
  }

  /** The index of WordPress's own namespace. */
  core(context: RequestContext) {
    return toNamespaceIndex(CORE_NAMESPACE, this.routes(CORE_NAMESPACE, context, CORE_NAMESPACE), context);
  }

  /** The index of all namespaces; without the calendar's while its settings disable the interface. */
  root(context: RequestContext) {
    const own = context.settings.restDisabled ? [] : this.env.apiNamespaces;
    const root = this.table.match('', ROOT_BASE);
    const routes = {
      ...(root && { '/': toRouteObject(root, inNamespace('', context)) }),
      ...Object.assign({}, ...own.map((namespace) => this.routes(namespace, context))),
      ...this.routes(CORE_NAMESPACE, context, CORE_NAMESPACE),
    };
    return toRootResponse({ namespaces: [...own, CORE_NAMESPACE], routes }, context, this.env);
  }

  /** The response to OPTIONS for a path; undefined if there is no route. */
  route({ path, routeBase }: RestRequest, context: RequestContext): Record<string, unknown> | undefined {
    const route = this.table.match(path, routeBase);
    return route && toRouteObject(route, context);
  }

  /** The OpenAPI document of `/doc`. */
  document({ base, settings }: RequestContext): unknown {
    const routes = this.table.routes().filter((route) => !isOfWebhooks(route));
    return toRecordedDocument(routes, base, settings.links.home);
  }

  /** The route of changes, where they are journaled; the recorded index has none. */
  private changes(): readonly Route[] {
    if (this.env.changes === 'off') return [];
    return this.table.routes(FEEDS_BASE).filter(({ segments }) => segments.join('/') === 'changes');
  }

  private routes(namespace: string, context: RequestContext, routeBase?: string): Routes {
    const requested = inNamespace(namespace, context);
    const isListed = (route: Route) => this.env.changes === 'on' || !isOfWebhooks(route);
    const own = this.table.routes(routeBase).filter(isListed);
    const routes = [...own, ...(routeBase ? [] : this.changes())];
    return Object.fromEntries(
      routes.map((route) => [`/${namespace}${indexPattern(route)}`, toRouteObject(route, requested)]),
    );
  }
}

const inNamespace = (namespace: string, context: RequestContext): RequestContext => ({
  ...context,
  base: { root: context.base.root, namespace },
});

const toNamespaceIndex = (namespace: string, routes: Routes, { base }: RequestContext) => ({
  namespace,
  routes,
  _links: { up: [{ href: `${base.root}/` }] },
});

interface ServedRoutes {
  namespaces: readonly string[];
  routes: object;
}

/** The REST root (docs/behaviour/documents.md#rest-root). */
function toRootResponse(
  { namespaces, routes }: ServedRoutes,
  { settings, time }: Pick<RequestContext, 'settings' | 'time'>,
  { database }: Pick<Environment, 'database'>,
) {
  const { options, links } = settings;
  const option = (name: string) => options.get(name) ?? '';
  const zone = option('timezone_string');
  return {
    name: option('blogname'),
    description: option('blogdescription'),
    url: links.siteUrl,
    home: links.home,
    // As text where it was set by hand, as WordPress answers it.
    gmt_offset:
      zone === '' ? option('gmt_offset') || '0' : time.atSecond((now) => hoursFromUtc(zone, now)).value,
    timezone_string: zone,
    namespaces,
    authentication: {
      'application-passwords': {
        // Only WordPress has the page where its users allow a program to sign in; next to SQLite there is none.
        endpoints:
          database.kind === 'mysql'
            ? { authorization: `${links.siteUrl}/wp-admin/authorize-application.php` }
            : {},
      },
    },
    routes,
    _links: { help: [{ href: 'https://developer.wordpress.org/rest-api/' }] },
  };
}

const hoursFromUtc = (zone: string, now: number): number => offsetAt(findZone(zone) ?? UTC, now) / 3600;
