import { getMetadataStorage, type ValidationError, Validator, type ValidatorOptions } from 'class-validator';
import {
  invalidParameters,
  type ParameterFailure,
  RestException,
} from '../../common/errors/rest-exception.js';
import { bindContext, bindRawParams, type CheckContext } from './check-context.js';
import { checkParameterSize } from './check-parameter-size.js';
import { toInstance } from './class-transforms.js';
import { RAW_CHECKS } from './make-check.js';
import type { Parameters as Values } from './php-parameters.js';
import { declaredArgs, hasType, isLenient, type DeclaredArg } from './rest-arg.js';

type DtoClass<T extends object = object> = new () => T;

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
export async function understood(
  given: DtoClass,
  raw: Values,
  asked: CheckContext,
): Promise<CheckContext & Sorted> {
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
