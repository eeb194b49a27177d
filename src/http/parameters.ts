import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validate } from 'class-validator';
import type { Request } from 'express';
import { PostsService } from '../wordpress/posts/posts.service.js';
import { TermsService } from '../wordpress/terms/terms.service.js';
import { UsersService } from '../wordpress/users/users.service.js';
import { BodyReader } from './body-reader.service.js';
import type { CheckContext } from './check-context.js';
import { Lookups } from './lookups.js';
import { oversized } from './oversized.js';
import type { Parameters as Values } from './php-parameters.js';
import type { Body } from './read-body.js';
import { type CodedFailure, type DeclaredArg, declaredArgs, ROUND, setCheckContext } from './rest-arg.js';
import { type ParameterFailure, Refusal, invalidParameters } from '../errors/refusal.js';
import { noRoute } from './error-answer.js';
import { WantsContext } from './request-context.js';
import { RequestContexts } from './request-contexts.service.js';
import { type RestRequest, restOf } from './rest-request.js';

type DtoClass<T extends object = object> = new () => T;

class Collected {
  constructor(
    readonly dto: DtoClass,
    readonly request: Request,
  ) {}
}

/** The request's parameters as a checked DTO: `@Parameters(ListEventsQuery) query: ListEventsQuery`. */
export const Parameters = createParamDecorator(
  (dto: DtoClass, context: ExecutionContext) =>
    new Collected(dto, context.switchToHttp().getRequest<Request>()),
);

/**
 * Collects, checks and parses parameters in the recorded order (docs/behaviour/parameters.md#order-of-checks): missing
 * ones, then every check, then every type; each round answers 400 with all of its failures.
 */
@Injectable()
export class ParametersPipe implements PipeTransform {
  constructor(
    private readonly contexts: RequestContexts,
    private readonly posts: PostsService,
    private readonly terms: TermsService,
    private readonly users: UsersService,
    private readonly bodies: BodyReader,
  ) {}

  async transform(value: unknown): Promise<unknown> {
    if (value instanceof WantsContext) return this.contexts.of(value.request);
    if (!(value instanceof Collected)) return value;
    const rest = restOfRoute(value.request);
    const body = await this.bodies.read(value.request);
    const context: CheckContext = {
      ...(await this.contexts.of(value.request)),
      lookups: new Lookups(this.posts, this.terms, this.users),
      writes: value.request.method !== 'GET' && value.request.method !== 'HEAD',
    };
    return readParameters(value.dto, collect(rest, body, context.writes), context);
  }
}

function restOfRoute(request: Request): RestRequest {
  const rest = restOf(request);
  if (!rest) throw noRoute();
  return rest;
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

/** Checks and parses raw parameters against a DTO class; inline records in a body go through the same door. */
export async function readParameters<T extends object>(
  dtoClass: DtoClass<T>,
  raw: Values,
  context: CheckContext,
): Promise<T> {
  const args = declaredArgs(dtoClass);
  const missing = args
    .filter((arg) => arg.required && (raw[arg.name] ?? null) === null)
    .map((arg) => arg.name);
  if (missing.length > 0)
    throw new Refusal(
      'invalid',
      'rest_missing_callback_param',
      `Missing parameter(s): ${missing.join(', ')}`,
      { data: { params: missing } },
    );
  const known = Object.fromEntries(args.map(({ name }) => [name, raw[name]]));
  const large = args.flatMap((arg) => oversized(arg, known[arg.name]) ?? []);
  if (large.length > 0) throw invalidParameters(large);
  // class-transformer would call what it finds as `constructor` in a nested value; checks must see what was sent anyway.
  const scalars = Object.fromEntries(Object.entries(known).filter(([, value]) => typeof value !== 'object'));
  const dto = plainToInstance(dtoClass, scalars, { excludeExtraneousValues: true });
  Object.assign(dto, known);
  setCheckContext(dto, context);
  for (const round of [ROUND.check, ROUND.type]) {
    const errors = await validate(dto, { groups: [round], forbidUnknownValues: false });
    if (errors.length > 0) throw invalidParameters(failures(inOrder(args, raw, round), errors, round));
  }
  for (const arg of args) {
    const value = known[arg.name] ?? undefined;
    const parsed = arg.parse ? await arg.parse(value, context) : parseType(arg, value);
    Object.assign(dto, { [arg.name]: parsed });
  }
  return dto;
}

/** Checks run in the order of declaration, types in that of the request, as recorded. */
function inOrder(args: DeclaredArg[], raw: Values, round: string): DeclaredArg[] {
  if (round !== ROUND.type) return args;
  const sent = Object.keys(raw);
  return args.toSorted((a, b) => sent.indexOf(a.name) - sent.indexOf(b.name));
}

function failures(args: DeclaredArg[], errors: ValidationError[], round: string): ParameterFailure[] {
  const byName = new Map(errors.map((error) => [error.property, error]));
  return args.flatMap((arg) => {
    const error = byName.get(arg.name);
    if (!error) return [];
    if (round === ROUND.type)
      return [
        { name: arg.name, message: `${arg.name} is not of type ${arg.type}.`, code: 'rest_invalid_type' },
      ];
    const said = Object.values(error.constraints ?? {})[0] ?? '';
    if (said.startsWith('{')) return [{ name: arg.name, ...(JSON.parse(said) as CodedFailure) }];
    return [{ name: arg.name, message: said === '' ? `${arg.name} is not valid.` : `${arg.name} ${said}` }];
  });
}

function parseType(arg: DeclaredArg, value: unknown): unknown {
  if (value === undefined) return arg.default;
  // Beyond that numbers lose their last digits, and databases refuse them.
  if (arg.type === 'integer') return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
  if (arg.type === 'boolean') return typeof value === 'string' ? /^(1|true)$/i.test(value) : Boolean(value);
  return value;
}
