import { Expiring } from '../cache/expiring.js';
import type { DeclaredArg } from '../http/params/rest-arg.js';
import type { RequestContext } from '../http/request-context.js';
import { restUrl } from '../http/rest-request.js';
import { type Endpoint, indexPattern, pathParameters, type Route } from './route-table.js';
import { isCollection, recordedEndpoints, recordedFields } from './route-words.js';

/** A route as the namespace index and OPTIONS show it (docs/behaviour/documents.md#namespace-index). */
export function toRouteObject(route: Route, context: RequestContext): Record<string, unknown> {
  const { base } = context;
  const endpoints = recordedEndpoints(route);
  return {
    namespace: base.namespace,
    methods: endpoints.flatMap(({ methods }) => methods),
    endpoints: endpoints.map((endpoint) => ({
      methods: endpoint.methods,
      args: argsOf(route, endpoint, context),
    })),
    // A path with a parameter leads nowhere as it is.
    ...(pathParameters(route).length === 0 && {
      _links: { self: [{ href: restUrl(base, indexPattern(route)) }] },
    }),
  };
}

/** Arguments by name, those of the path first; PHP writes no arguments as a list. */
function argsOf(route: Route, endpoint: Endpoint, context: RequestContext): unknown {
  const inPath = pathParameters(route).map(({ name, type }) => [
    name,
    { type, description: `The ${name} of the record.`, required: true },
  ]);
  const isCreate = isCollection(route) && endpoint.methods.includes('POST');
  const declared = recordedFields(route, endpoint).map((field) => [
    field.name,
    toArg(isCreate && field.requiredOnCreate ? { ...field, required: true } : field, context),
  ]);
  const args = [...inPath, ...declared];
  return args.length > 0 ? Object.fromEntries(args) : [];
}

/** Members in the order of the declaration, `required` last. */
function toArg(field: DeclaredArg, context: RequestContext): Record<string, unknown> {
  const arg: Record<string, unknown> = {};
  for (const key of Object.keys(field))
    switch (key) {
      case 'default':
      case 'documentedDefault':
        arg['default'] = documentedDefault(field, context);
        break;
      case 'items':
        arg['items'] = { type: field.items };
        break;
      case 'type':
      case 'description':
      case 'format':
        arg[key] = field[key];
    }
  return { ...arg, required: field.required };
}

function documentedDefault(field: DeclaredArg, context: RequestContext): unknown {
  if (!('documentedDefault' in field)) return field.default;
  const { documentedDefault: value } = field;
  return typeof value === 'function' ? Expiring.of(value(context)).value : value;
}
