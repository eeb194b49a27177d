import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import type { Request } from 'express';
import { RestException } from '../../common/errors/rest-exception.js';
import { OWN_NAMESPACE } from '../../config/env.js';
import { PostVisibility } from '../../wordpress/posts/post-visibility.js';
import { type PostIdentity, PostsService } from '../../wordpress/posts/posts.service.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import { TermVisibility } from '../../wordpress/terms/term-visibility.js';
import { TermsService } from '../../wordpress/terms/terms.service.js';
import { UsersService } from '../../wordpress/users/users.service.js';
import { ContextArgument, type RequestContext } from '../request-context.js';
import { RequestContexts } from '../request-contexts.service.js';
import { type RestRequest, restOf } from '../rest-request.js';
import { BodyReader } from '../server/body-reader.service.js';
import type { Body } from '../server/read-body.js';
import { type CheckContext, type DtoClass, ignoredOf, ParameterClasses } from './check-context.js';
import { LookupCache } from './lookup-cache.service.js';
import type { Parameters as Values } from './php-parameters.js';
import { checkParameters, readParameters } from './read-parameters.js';
import { RequestLoader } from './request-loader.js';
import { declaredArgs } from './rest-arg.js';

class Collected {
  constructor(
    readonly dto: DtoClass,
    readonly request: Request,
  ) {}
}

/** What `@Parameters` hands to the pipe. */
export const collectedFrom = (dto: DtoClass, context: ExecutionContext) =>
  new Collected(dto, context.switchToHttp().getRequest<Request>());

const collected = createParamDecorator(collectedFrom);

/** The request's parameters as a checked DTO: `@Parameters(ListEventsQuery) query: ListEventsQuery`. */
export function Parameters(dto: DtoClass): ParameterDecorator {
  rejectUndeclared(dto);
  return (target, method, index) => {
    collected(dto)(target, method, index);
    // Third-party pipes that use the type would transform the values again.
    const types = Reflect.getMetadata('design:paramtypes', target, method ?? '');
    if (types) types[index] = Object;
  };
}

/** Throws for a class that checks undeclared properties, which are never read, or declares none. */
function rejectUndeclared(dto: DtoClass): void {
  const declared = new Set(declaredArgs(dto).map(({ name }) => name));
  const checks = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const undeclared = checks.find(({ propertyName }) => !declared.has(propertyName))?.propertyName;
  if (undeclared !== undefined || declared.size === 0)
    throw new Error(
      `${dto.name} declares no parameter${undeclared === undefined ? '' : ` ${undeclared}`}: @RestArg stands above what @Parameters reads.`,
    );
}

/** Checks and parses parameters of any source by the rights of the user. */
@Injectable()
export class ParameterReader {
  constructor(
    private readonly posts: PostsService,
    private readonly terms: TermsService,
    private readonly users: UsersService,
    private readonly visibility: PostVisibility,
    private readonly termVisibility: TermVisibility,
    private readonly classes: ParameterClasses,
    private readonly lookupCache: LookupCache,
  ) {}

  /** The values as a checked DTO; throws one `RestException` for all failures. */
  read<T extends object>(
    dto: DtoClass<T>,
    values: Values,
    context: RequestContext,
    hint?: string,
  ): Promise<T> {
    return readParameters(dto, values, this.checkContext(context, hint));
  }

  /** Names of parameters that `read` would ignore for invalid values (R20); none where it would throw. */
  async ignored(dto: DtoClass, values: Values, context: RequestContext): Promise<string[]> {
    try {
      return Object.keys((await checkParameters(dto, values, this.checkContext(context))).ignored);
    } catch (error) {
      if (error instanceof RestException) return [];
      throw error;
    }
  }

  private checkContext(context: RequestContext, hint?: string): CheckContext {
    const visible = {
      posts: (posts: PostIdentity[]) => this.visibility.of(posts, context),
      terms: (terms: readonly TermRecord[]) => this.termVisibility.of(terms, context),
    };
    const cache = context.access.signedIn ? undefined : this.lookupCache;
    const lookups = new RequestLoader(this.posts, this.terms, this.users, visible, cache);
    return { ...context, lookups, classes: this.classes, hint, sent: {}, ignored: {} };
  }
}

/**
 * Collects, checks and parses parameters in the recorded order (docs/behaviour/parameters.md#order-of-checks): missing
 * ones, then every check, then every type; the first phase with failures responds 400 with all of them.
 */
@Injectable()
export class ParametersPipe implements PipeTransform {
  constructor(
    private readonly contexts: RequestContexts,
    private readonly bodies: BodyReader,
    private readonly reader: ParameterReader,
  ) {}

  async transform(value: unknown): Promise<unknown> {
    if (value instanceof ContextArgument) return this.contexts.of(value.request);
    if (!(value instanceof Collected)) return value;
    const rest = requireRest(value.request);
    const body = await this.bodies.read(value.request);
    const context = await this.contexts.of(value.request);
    const writes = value.request.method !== 'GET' && value.request.method !== 'HEAD';
    const dto = await this.reader.read(value.dto, collect(rest, body, writes), context, body.hint);
    const ignored = Object.keys(ignoredOf(dto));
    if (ignored.length > 0) rest.ignored = [...(rest.ignored ?? []), ...ignored];
    return dto;
  }
}

function requireRest(request: Request): RestRequest {
  const rest = restOf(request);
  if (rest) return rest;
  const { method, path } = request;
  throw new Error(
    `${method} ${path} takes @Parameters, which are read below ${OWN_NAMESPACE} alone: elsewhere take @Query() and @Body().`,
  );
}

/** First non-null of JSON, form (writes only) and query; a JSON null stays where no other source has a value. */
function collect({ query }: RestRequest, { json, form }: Body, writes: boolean): Values {
  const sources = writes ? [json, form, query] : [json, query];
  const all: Values = Object.create(null);
  for (const source of sources)
    for (const [name, value] of Object.entries(source))
      if (all[name] === undefined || all[name] === null) all[name] = value;
  return all;
}
