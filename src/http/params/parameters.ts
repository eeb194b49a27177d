import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import { getMetadataStorage, type ValidationError, Validator, type ValidatorOptions } from 'class-validator';
import type { Request } from 'express';
import {
  invalidParameters,
  type ParameterFailure,
  RestException,
} from '../../common/errors/rest-exception.js';
import { OWN_NAMESPACE } from '../../config/env.js';
import { PostVisibility } from '../../wordpress/posts/post-visibility.js';
import { type PostIdentity, PostsService } from '../../wordpress/posts/posts.service.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import { TermVisibility } from '../../wordpress/terms/term-visibility.js';
import { TermsService } from '../../wordpress/terms/terms.service.js';
import { UsersService } from '../../wordpress/users/users.service.js';
import { ContextArgument, type RequestContext } from '../request-context.js';
import { RequestContexts } from '../request-contexts.service.js';
import { restOf, type RestRequest } from '../rest-request.js';
import { BodyReader } from '../server/body-reader.service.js';
import type { Body } from '../server/read-body.js';
import { bindContext, bindRawParams, ignoredOf, type CheckContext } from './check-context.js';
import { checkParameterSize } from './check-parameter-size.js';
import { toInstance } from './class-transforms.js';
import { LookupCache } from './lookup-cache.service.js';
import { RAW_CHECKS } from './make-check.js';
import { ParameterClasses } from './parameter-classes.js';
import type { Parameters as Values } from './php-parameters.js';
import { RequestLoader } from './request-loader.js';
import { declaredArgs, hasType, isLenient, type DeclaredArg } from './rest-arg.js';

type DtoClass<T extends object = object> = new () => T;

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
  refuseUndeclared(dto);
  return (target, method, index) => {
    collected(dto)(target, method, index);
    // Pipes of anybody that go by the type would make of the values what is made of them already.
    const types = Reflect.getMetadata('design:paramtypes', target, method ?? '');
    if (types) types[index] = Object;
  };
}

/** What is not declared is never read: who checks it, or takes a class that declares nothing, has forgotten to. */
function refuseUndeclared(dto: DtoClass): void {
  const declared = new Set(declaredArgs(dto).map(({ name }) => name));
  const checks = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const forgotten = checks.find(({ propertyName }) => !declared.has(propertyName))?.propertyName;
  if (forgotten !== undefined || declared.size === 0)
    throw new Error(
      `${dto.name} declares no parameter${forgotten === undefined ? '' : ` ${forgotten}`}: @RestArg stands above what @Parameters reads.`,
    );
}

/** Checks and parses parameters for whoever sends them, wherever they come from. */
@Injectable()
export class ParameterReader {
  constructor(
    private readonly posts: PostsService,
    private readonly terms: TermsService,
    private readonly users: UsersService,
    private readonly visibility: PostVisibility,
    private readonly termVisibility: TermVisibility,
    private readonly classes: ParameterClasses,
    private readonly kept: LookupCache,
  ) {}

  /** The values as a checked DTO; what is wrong with them is thrown as one `Refusal`. */
  read<T extends object>(
    dto: DtoClass<T>,
    values: Values,
    context: RequestContext,
    hint?: string,
  ): Promise<T> {
    return readParameters(dto, values, this.checkContext(context, hint));
  }

  /** Names of parameters that `read` would ignore, as their values are not understood (R20); none where it refuses others. */
  async ignored(dto: DtoClass, values: Values, context: RequestContext): Promise<string[]> {
    try {
      return Object.keys((await understood(dto, values, this.checkContext(context))).ignored);
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
    const kept = context.access.signedIn ? undefined : this.kept;
    const lookups = new RequestLoader(this.posts, this.terms, this.users, visible, kept);
    return { ...context, lookups, classes: this.classes, hint, sent: {}, ignored: {} };
  }
}

/**
 * Collects, checks and parses parameters in the recorded order (docs/behaviour/parameters.md#order-of-checks): missing
 * ones, then every check, then every type; each round answers 400 with all of its failures.
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
    const rest = restOfRoute(value.request);
    const body = await this.bodies.read(value.request);
    const context = await this.contexts.of(value.request);
    const writes = value.request.method !== 'GET' && value.request.method !== 'HEAD';
    const dto = await this.reader.read(value.dto, collect(rest, body, writes), context, body.hint);
    const ignored = Object.keys(ignoredOf(dto));
    if (ignored.length > 0) rest.ignored = [...(rest.ignored ?? []), ...ignored];
    return dto;
  }
}

function restOfRoute(request: Request): RestRequest {
  const rest = restOf(request);
  if (rest) return rest;
  const { method, path } = request;
  throw new Error(
    `${method} ${path} takes @Parameters, which are read below ${OWN_NAMESPACE} alone: elsewhere take @Query() and @Body().`,
  );
}

/** First non-null of JSON, form (writes only) and query; a JSON null is kept where nothing else is given. */
function collect({ query }: RestRequest, { json, form }: Body, writes: boolean): Values {
  const sources = writes ? [json, form, query] : [json, query];
  const all: Values = Object.create(null);
  for (const source of sources)
    for (const [name, value] of Object.entries(source))
      if (all[name] === undefined || all[name] === null) all[name] = value;
  return all;
}

/**
 * Checks and parses raw parameters against a DTO class; inline records in a body go through the same door. What the
 * decorators of class-validator say that belong to neither round is asked last, of the values as the handler gets them.
 */
export async function readParameters<T extends object>(
  given: DtoClass<T>,
  raw: Values,
  asked: CheckContext,
): Promise<T> {
  const dtoClass = asked.classes.of(given);
  const context = await understood(given, raw, asked);
  const names = declaredArgs(dtoClass).map(({ name }) => name);
  const dto = await transformed(dtoClass, names, context);
  await judge(dto, names, OTHERS);
  // Whoever links to the same again asks what was sent.
  return bindRawParams(dto, context);
}

/** Parameters that pass all checks, and those that are ignored; throws for what is refused. */
async function understood(given: DtoClass, raw: Values, asked: CheckContext): Promise<CheckContext & Sorted> {
  const dtoClass = asked.classes.of(given);
  const args = declaredArgs(dtoClass);
  const sent: Values = Object.create(null);
  const ignored: Values = Object.create(null);
  const missing: string[] = [];
  const large: ParameterFailure[] = [];
  for (const arg of args) {
    const value = raw[arg.name];
    // Objects of many names are copied and looked through many times more slowly than those of few.
    if (value !== undefined) sent[arg.name] = value;
    if ((value ?? null) === null) {
      if (arg.required) missing.push(arg.name);
      continue;
    }
    const fault = checkParameterSize(arg, value);
    if (fault && isLenient(arg)) ignore(arg.name, { sent, ignored });
    else if (fault) large.push(fault);
  }
  if (missing.length > 0) throw missingParameters(missing, asked.hint);
  if (large.length > 0) throw invalidParameters(large);
  const context = { ...asked, sent, ignored };
  while (!(await passes(dtoClass, args, context, Object.keys(raw))));
  return context;
}

interface Sorted {
  sent: Values;
  ignored: Values;
}

/** Treats a parameter as if it had not been sent. */
function ignore(name: string, { sent, ignored }: Sorted): void {
  ignored[name] = sent[name];
  delete sent[name];
}

/**
 * Whether all that was sent passes checks and types. Throws for what is refused; what is lenient is ignored, and the rest, which may
 * need it, is to be checked again.
 */
async function passes(
  dtoClass: DtoClass,
  args: readonly DeclaredArg[],
  context: CheckContext & Sorted,
  order: readonly string[],
): Promise<boolean> {
  const checked = bindContext(Object.assign(new dtoClass(), context.sent), context);
  // Checks are listed in the order of declaration, types in that of the request, as recorded.
  const names = args.map(({ name }) => name);
  const wrong = await failures(checked, names, CHECKS);
  const failed = wrong.length > 0 ? wrong : typeFailures(args, context.sent, order);
  if (failed.length === 0) return true;
  const lenient = new Set(args.filter(isLenient).map(({ name }) => name));
  const refused = failed.filter(({ name }) => !lenient.has(name));
  if (refused.length > 0) throw invalidParameters(refused);
  for (const { name } of failed) ignore(name, context);
  return false;
}

const VALIDATOR = new Validator();
const CHECKS = { groups: [RAW_CHECKS], skipMissingProperties: true, stopAtFirstError: true };
const OTHERS = { strictGroups: true, skipMissingProperties: true };

/** Throws all that class-validator finds, in this order of names. */
async function judge(values: object, order: readonly string[], round: ValidatorOptions): Promise<void> {
  const found = await failures(values, order, round);
  if (found.length > 0) throw invalidParameters(found);
}

/** All that class-validator finds, in this order of names. */
async function failures(
  values: object,
  order: readonly string[],
  round: ValidatorOptions,
): Promise<ParameterFailure[]> {
  if (!isChecked(values, round)) return [];
  const errors = await VALIDATOR.validate(values, round);
  // One without a property says that nothing was asked.
  const found = errors.filter(({ property }) => property !== undefined);
  const place = ({ property }: ValidationError) => order.indexOf(property);
  return found.toSorted((a, b) => place(a) - place(b)).map(toFailure);
}

/** By phase and class, the properties that class-validator checks. */
const checkedNames = new WeakMap<ValidatorOptions, WeakMap<object, ReadonlySet<string>>>();

/** Whether class-validator has anything to check; it would search the decorators of all classes to find that out. */
function isChecked(values: object, phase: ValidatorOptions): boolean {
  const byClass = checkedNames.get(phase) ?? new WeakMap<object, ReadonlySet<string>>();
  checkedNames.set(phase, byClass);
  const names = byClass.get(values.constructor) ?? namesCheckedIn(phase, values.constructor as DtoClass);
  byClass.set(values.constructor, names);
  for (const name of names) if ((values as Values)[name] !== undefined) return true;
  return names.has(ALWAYS);
}

/** Stands for a check of what was not sent. */
const ALWAYS = '';

function namesCheckedIn({ groups, strictGroups = false }: ValidatorOptions, dto: DtoClass): Set<string> {
  const checks = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, strictGroups, groups);
  const names = checks.map(({ propertyName }) => propertyName);
  return new Set(checks.some(({ type }) => type === 'isDefined') ? [...names, ALWAYS] : names);
}

function typeFailures(
  args: readonly DeclaredArg[],
  sent: Values,
  order: readonly string[],
): ParameterFailure[] {
  return args
    .filter((arg) => sent[arg.name] !== undefined && !hasType(sent[arg.name], arg))
    .toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
    .map(({ name, type }) => ({
      name,
      message: `${name} is not of type ${type}.`,
      code: 'rest_invalid_type',
    }));
}

function toFailure({ property, constraints = {}, contexts = {} }: ValidationError): ParameterFailure {
  const [code] = Object.values<{ code?: string }>(contexts).map((context) => context.code);
  const message = Object.values(constraints).toReversed().join(', ') || `${property} is not valid.`;
  return { name: property, message, ...(code !== undefined && { code }) };
}

/** The values of all names as services work with them; what a `Transform` promises is awaited. */
async function transformed<T extends object>(
  dtoClass: DtoClass<T>,
  names: readonly string[],
  context: CheckContext,
): Promise<T> {
  // class-transformer would call what it finds as `constructor` in a list or map: `RestArg` puts those in as they were sent.
  const scalars: Values = {};
  for (const name in context.sent) {
    const value = context.sent[name];
    if (typeof value !== 'object') scalars[name] = value;
  }
  const dto = toInstance<object>(dtoClass, bindContext(scalars, context), names) as Values;
  const promised = names.filter((name) => isPromise(dto[name]));
  if (promised.length > 0) {
    const values = promised.map(async (name) => [name, await dto[name]] as const);
    Object.assign(dto, Object.fromEntries(await Promise.all(values)));
  }
  return dto as T;
}

const isPromise = (value: unknown): boolean =>
  typeof value === 'object' && typeof (value as PromiseLike<unknown> | null)?.then === 'function';

function missingParameters(params: string[], hint?: string): RestException {
  const message = [`Missing parameter(s): ${params.join(', ')}`, ...(hint ? [hint] : [])].join('. ');
  return new RestException('invalid', 'rest_missing_callback_param', message, { data: { params } });
}
