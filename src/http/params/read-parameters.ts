import { getMetadataStorage, type ValidationError, Validator, type ValidatorOptions } from 'class-validator';
import {
  invalidParameters,
  type ParameterFailure,
  RestException,
} from '../../common/errors/rest-exception.js';
import { bindContext, bindRawParams, type CheckContext, type DtoClass } from './check-context.js';
import { toInstance } from './class-transforms.js';
import { MAX_ITEMS, MAX_LENGTH } from './limits.js';
import { RAW_CHECKS } from './make-check.js';
import { decodePercent, type Parameters as Values } from './php-parameters.js';
import { type DeclaredArg, declaredArgs, hasType, isLenient } from './rest-arg.js';

/**
 * Checks and parses raw parameters against a DTO class, also those of inline records in a body. Decorators of class-validator
 * without our group check the parsed values.
 */
export async function readParameters<T extends object>(
  dto: DtoClass<T>,
  raw: Values,
  context: CheckContext,
): Promise<T> {
  const dtoClass = context.classes.of(dto);
  const checked = await checkParameters(dto, raw, context);
  const names = declaredArgs(dtoClass).map(({ name }) => name);
  const values = await transform(dtoClass, names, checked);
  const failed = await failures(values, names, PARSED_OPTIONS);
  if (failed.length > 0) throw invalidParameters(failed);
  // Links to further pages repeat what was sent.
  return bindRawParams(values, checked);
}

/** Sorts parameters into valid and ignored ones; throws for invalid ones. */
export async function checkParameters(
  dto: DtoClass,
  raw: Values,
  context: CheckContext,
): Promise<CheckContext & SortedParams> {
  const dtoClass = context.classes.of(dto);
  const args = declaredArgs(dtoClass);
  const sent: Values = Object.create(null);
  const ignored: Values = Object.create(null);
  const missing: string[] = [];
  const large: ParameterFailure[] = [];
  for (const arg of args) {
    const value = raw[arg.name];
    if (value !== undefined) sent[arg.name] = value;
    if ((value ?? null) === null) {
      if (arg.required) missing.push(arg.name);
      continue;
    }
    const fault = checkParameterSize(arg, value);
    if (fault && isLenient(arg)) ignore(arg.name, { sent, ignored });
    else if (fault) large.push(fault);
  }
  if (missing.length > 0) throw missingParameters(missing, context.hint);
  if (large.length > 0) throw invalidParameters(large);
  const checked = { ...context, sent, ignored };
  while (!(await areValid(dtoClass, args, checked, Object.keys(raw))));
  return checked;
}

interface SortedParams {
  sent: Values;
  ignored: Values;
}

/** Treats a parameter as if it had not been sent. */
function ignore(name: string, { sent, ignored }: SortedParams): void {
  ignored[name] = sent[name];
  delete sent[name];
}

/**
 * Whether all sent parameters pass checks and types. Throws for invalid ones, unless they are lenient: those are ignored, and
 * the rest, which may depend on them, must be checked again.
 */
async function areValid(
  dtoClass: DtoClass,
  args: readonly DeclaredArg[],
  context: CheckContext & SortedParams,
  order: readonly string[],
): Promise<boolean> {
  const values = bindContext(Object.assign(new dtoClass(), context.sent), context);
  // Checks are listed in the order of declaration, types in that of the request, as recorded.
  const names = args.map(({ name }) => name);
  const invalid = await failures(values, names, RAW_OPTIONS);
  const failed = invalid.length > 0 ? invalid : typeFailures(args, context.sent, order);
  if (failed.length === 0) return true;
  const lenient = new Set(args.filter(isLenient).map(({ name }) => name));
  const rejected = failed.filter(({ name }) => !lenient.has(name));
  if (rejected.length > 0) throw invalidParameters(rejected);
  for (const { name } of failed) ignore(name, context);
  return false;
}

const VALIDATOR = new Validator();
const RAW_OPTIONS = { groups: [RAW_CHECKS], skipMissingProperties: true, stopAtFirstError: true };
const PARSED_OPTIONS = { strictGroups: true, skipMissingProperties: true };

/** The failures that class-validator finds, in this order of names. */
async function failures(
  values: object,
  order: readonly string[],
  options: ValidatorOptions,
): Promise<ParameterFailure[]> {
  if (!hasChecks(values, options)) return [];
  const errors = await VALIDATOR.validate(values, options);
  // An error without a property: the class has no check in these groups.
  const found = errors.filter(({ property }) => property !== undefined);
  const indexOf = ({ property }: ValidationError) => order.indexOf(property);
  return found.toSorted((a, b) => indexOf(a) - indexOf(b)).map(toFailure);
}

/** By options and class, the properties that class-validator checks. */
const checkedNames = new WeakMap<ValidatorOptions, WeakMap<object, ReadonlySet<string>>>();
/** Stands for a check of absent values. */
const ALWAYS = '';

/** Whether class-validator has anything to check; it searches the decorators of all classes to find that out. */
function hasChecks(values: object, options: ValidatorOptions): boolean {
  const byClass = checkedNames.get(options) ?? new WeakMap<object, ReadonlySet<string>>();
  checkedNames.set(options, byClass);
  const names = byClass.get(values.constructor) ?? namesToCheck(values.constructor as DtoClass, options);
  byClass.set(values.constructor, names);
  for (const name of names) if ((values as Values)[name] !== undefined) return true;
  return names.has(ALWAYS);
}

function namesToCheck(dto: DtoClass, { groups, strictGroups = false }: ValidatorOptions): Set<string> {
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

/** The parsed values of all names; promises that `Transform` returns are awaited. */
async function transform<T extends object>(
  dtoClass: DtoClass<T>,
  names: readonly string[],
  context: CheckContext,
): Promise<T> {
  // class-transformer would call a member named `constructor` of a list or map: `RestArg` reads those from the raw parameters.
  const scalars: Values = {};
  for (const [name, value] of Object.entries(context.sent))
    if (typeof value !== 'object') scalars[name] = value;
  const dto = toInstance<object>(dtoClass, bindContext(scalars, context), names) as Values;
  const promised = names.filter((name) => isPromise(dto[name]));
  if (promised.length > 0) {
    const values = await Promise.all(promised.map((name) => dto[name]));
    Object.assign(dto, Object.fromEntries(promised.map((name, at) => [name, values[at]])));
  }
  return dto as T;
}

const isPromise = (value: unknown): boolean =>
  typeof value === 'object' && typeof (value as PromiseLike<unknown> | null)?.then === 'function';

/** `rest_missing_callback_param` for required parameters. */
export function missingParameters(params: string[], hint?: string): RestException {
  const message = [`Missing parameter(s): ${params.join(', ')}`, ...(hint ? [hint] : [])].join('. ');
  return new RestException('invalid', 'rest_missing_callback_param', message, { data: { params } });
}

/** Checks the size of a parameter's value before any other use of it (W24). */
export function checkParameterSize(arg: DeclaredArg, value: unknown): ParameterFailure | undefined {
  const fault = faultOf(value, arg.maxLength ?? MAX_LENGTH.word, arg.items !== undefined);
  return fault === undefined ? undefined : { name: arg.name, message: `${arg.name} ${fault}` };
}

function faultOf(value: unknown, maxLength: number, isList: boolean): string | undefined {
  // Filters decode a text once more before they split it.
  if (typeof value === 'string' && isList)
    return listFault(decodePercent(value).split(',', MAX_ITEMS + 1), maxLength);
  if (typeof value === 'string')
    return value.length > maxLength ? `may hold at most ${maxLength} characters.` : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  return listFault(Object.values(value), maxLength);
}

function listFault(items: readonly unknown[], maxLength: number): string | undefined {
  if (items.length > MAX_ITEMS) return `may hold at most ${MAX_ITEMS} items.`;
  for (const item of items) {
    const fault = faultOf(item, maxLength, false);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
