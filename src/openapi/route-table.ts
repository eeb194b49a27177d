import { Injectable, ParseIntPipe, RequestMethod } from '@nestjs/common';
import {
  METHOD_METADATA,
  PARAMTYPES_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { OWN_NAMESPACE } from '../config/env.js';
import { type DtoClass, ParameterClasses } from '../http/params/check-context.js';
import { PathId } from '../http/params/path-id.js';
import { type DeclaredArg, declaredArgs } from '../http/params/rest-arg.js';
import type { Resource } from '../resources/base/resource.js';
import { Resources } from '../resources/base/resources.js';

/** Methods with endpoints of their own; the other methods of a route share one. */
const ALONE = ['GET', 'DELETE'];

/** Methods of the interface, also shown for a handler of all methods. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const INTEGER_PIPES: readonly unknown[] = [PathId, ParseIntPipe];

/** A handler of a route with all its methods. */
export interface Endpoint {
  methods: string[];
  /** Parameters that its DTO class declares for the recorded documents, in order. */
  fields: DeclaredArg[];
  /** The DTO class with the fields of plugins. */
  dto?: DtoClass;
  /** The handler's method name, such as `list`. */
  handler: string;
}

/** A path with all endpoints there. */
export interface Route {
  /** The path's segments below the base; none for the index itself. */
  segments: Segment[];
  endpoints: Endpoint[];
  /** The resource of the route; undefined for the index and other routes. */
  resource?: Resource;
}

/** A literal part of a path, or a parameter. */
type Segment = string | PathParameter;

export interface PathParameter {
  name: string;
  type: 'integer' | 'string';
  /** The suffix of the segment, such as `.ics`. */
  suffix: string;
}

interface HandlerArgument {
  data?: unknown;
  pipes?: readonly unknown[];
}

/** All routes that controllers declare, including those of plugins, by base (`RestRequest.routeBase`). */
@Injectable()
export class RouteTable {
  private readonly found = new Map<string, Route[]>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly resources: Resources,
    private readonly classes: ParameterClasses,
  ) {}

  /** All routes; controllers are scanned on the first call. */
  routes(routeBase: string = OWN_NAMESPACE): readonly Route[] {
    const routes = this.found.get(routeBase) ?? this.discover(routeBase);
    this.found.set(routeBase, routes);
    return routes;
  }

  /** The route at a path below the base, ignoring case and trailing slashes. */
  match(path: string, routeBase: string = OWN_NAMESPACE): Route | undefined {
    return this.routes(routeBase).find(({ segments }) => {
      const parts = segments.map((part) =>
        typeof part === 'string' ? escaped(part) : valuePattern(part) + escaped(part.suffix),
      );
      return new RegExp(`^${parts.map((part) => `/${part}`).join('')}/*$`, 'i').test(path);
    });
  }

  /** The parameter types of all handlers. */
  argumentTypes(): Set<unknown> {
    const types = [...this.handlers()].flatMap(
      ({ controller, name }): unknown[] =>
        Reflect.getMetadata(PARAMTYPES_METADATA, controller.prototype, name) ?? [],
    );
    return new Set(types);
  }

  private *handlers() {
    for (const { metatype } of this.discovery.getControllers()) {
      if (typeof metatype !== 'function') continue;
      for (const name of this.scanner.getAllMethodNames(metatype.prototype))
        yield { controller: metatype, name, handler: metatype.prototype[name] as object };
    }
  }

  /** The DTO class of a handler's `@Parameters(Dto)`, with its parameters. */
  private takenBy(args: HandlerArgument[]): Pick<Endpoint, 'dto' | 'fields'> {
    const named = args.find(({ data }) => typeof data === 'function')?.data as DtoClass | undefined;
    if (!named) return { fields: [] };
    const dto = this.classes.of(named);
    return {
      dto,
      fields: declaredArgs(dto).filter(({ undeclared, isExtension }) => !undeclared && !isExtension),
    };
  }

  private discover(routeBase: string): Route[] {
    const routes = new Map<string, Route>();
    for (const { controller, name, handler } of this.handlers()) {
      const args = argumentsOf(controller, name);
      for (const base of textsOf(PATH_METADATA, controller))
        for (const path of textsOf(PATH_METADATA, handler))
          addHandler(routes, { routeBase, path: `${base}/${path}` }, name, handler, args, this.takenBy(args));
    }
    if (routeBase !== OWN_NAMESPACE) return [...routes.values()];
    // Recorded: the documents come first. Express tries the resources first, which are requested more often.
    const sorted = [...routes.values()].toSorted((a, b) => Number(isDocument(b)) - Number(isDocument(a)));
    return sorted.map((route) => {
      const [first] = route.segments;
      return { ...route, resource: typeof first === 'string' ? this.resources.at(first) : undefined };
    });
  }
}

const isDocument = ({ segments: [first] }: Route): boolean => first === undefined || first === 'doc';

function addHandler(
  routes: Map<string, Route>,
  { routeBase, path: fullPath }: { routeBase: string; path: string },
  name: string,
  handler: object,
  args: HandlerArgument[],
  taken: Pick<Endpoint, 'dto' | 'fields'>,
): void {
  const path = `/${fullPath.split('/').filter(Boolean).join('/')}`;
  const methods = methodsOf(handler);
  if (methods.length === 0 || !`${path}/`.startsWith(`/${routeBase}/`)) return;
  const segments = segmentsOf(path.slice(routeBase.length + 1), args);
  const key = indexPattern({ segments });
  const route = routes.get(key) ?? { segments, endpoints: [] };
  routes.set(key, route);
  for (const method of methods) {
    const same = route.endpoints.find(
      (known) =>
        !ALONE.includes(method) &&
        !ALONE.includes(known.methods[0] ?? '') &&
        takesSame(known.fields, taken.fields),
    );
    if (same) same.methods.push(method);
    else route.endpoints.push({ methods: [method], ...taken, handler: name });
  }
}

const takesSame = (a: DeclaredArg[], b: DeclaredArg[]) =>
  a.map(({ name }) => name).join() === b.map(({ name }) => name).join();

function textsOf(key: string, target: object): string[] {
  const found: unknown = Reflect.getMetadata(key, target);
  return [found].flat().filter((path): path is string => typeof path === 'string');
}

function methodsOf(handler: object): string[] {
  const found: unknown = Reflect.getMetadata(METHOD_METADATA, handler);
  return [found]
    .flat()
    .flatMap((method) => (method === RequestMethod.ALL ? METHODS : [RequestMethod[Number(method)] ?? '']))
    .filter((method) => METHODS.includes(method));
}

function argumentsOf(controller: object, name: string): HandlerArgument[] {
  const found: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name);
  return Object.values((found ?? {}) as Record<string, HandlerArgument>);
}

function segmentsOf(path: string, args: HandlerArgument[]): Segment[] {
  return path
    .split('/')
    .filter(Boolean)
    .map((part) => {
      const [, name, suffix = ''] = /^:(\w+)(.*)$/.exec(part) ?? [];
      if (name === undefined) return part;
      const argument = args.find(({ data }) => data === name);
      const isInteger = argument?.pipes?.some((pipe) => INTEGER_PIPES.includes(pipe));
      return { name, type: isInteger ? 'integer' : 'string', suffix };
    });
}

export function pathParameters({ segments }: Pick<Route, 'segments'>): PathParameter[] {
  return segments.filter((segment) => typeof segment !== 'string');
}

/** The path in the index: `/events/(?P<id>\d+)`; empty for the index itself. */
export function indexPattern({ segments }: Pick<Route, 'segments'>): string {
  return segments
    .map((part) =>
      typeof part === 'string'
        ? `/${part}`
        : `/(?P<${part.name}>${valuePattern(part)})${escaped(part.suffix)}`,
    )
    .join('');
}

/** The path in OpenAPI: `/events/{id}`; `/` for the index itself. */
export function pathTemplate({ segments }: Pick<Route, 'segments'>): string {
  return `/${segments.map((part) => (typeof part === 'string' ? part : `{${part.name}}${part.suffix}`)).join('/')}`;
}

const escaped = (text: string) => text.replace(/[^\w-]/g, '\\$&');

const valuePattern = ({ type }: PathParameter) => (type === 'integer' ? '\\d+' : '[^/]+');
