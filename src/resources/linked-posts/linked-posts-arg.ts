import { Transform } from 'class-transformer';
import { RestException } from '../../common/errors/rest-exception.js';
import { type CheckContext, getContext, type TransformParams } from '../../http/params/check-context.js';
import { toId } from '../../http/params/fields.js';
import { MAX_LENGTH } from '../../http/params/limits.js';
import { makeCheck } from '../../http/params/make-check.js';
import { readParameters } from '../../http/params/read-parameters.js';
import { inlineParameters, RestArg } from '../../http/params/rest-arg.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { creationRef } from '../base/json-schema.js';
import type { LinkedPostFields, LinkedPostType } from './linked-post-type.js';

/** A venue or organizer of an event: an existing one, or data to find or create one. */
export type LinkedPostInput = { id: number } | { fields: LinkedPostFields };

type FieldsDto = new () => LinkedPostFields;

/** Maximum linked records per event: each costs look-ups before any rights are checked. */
const MAX_COUNT = 100;

const NAMED_BY_ID = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };

type Item = { id: number } | { inline: Record<string, unknown> };

/**
 * Declares the `venue` or `organizer` of an event: an id, a list or comma text of ids, `{id}`, inline data or a mixed
 * list (W10); any empty value unlinks. Other values, unknown ids and ids of other types are invalid. The value becomes
 * a `LinkedPostInput[]`.
 */
export function LinkedPostsArg(kind: LinkedPostType, dto: FieldsDto, description: string): PropertyDecorator {
  // Passes the parsed items from the check to the transformation.
  const read = new WeakMap<CheckContext, LinkedPostInput[]>();
  const AreLinkedPosts = makeCheck(
    'areLinkedPosts',
    `must be ids of ${kind.plural}, or data of new ones.`,
    async (value, values) => {
      const items = itemsOf(value);
      if (!items) return false;
      if (items.length > MAX_COUNT) return `may name at most ${MAX_COUNT} ${kind.plural}.`;
      const context = getContext(values);
      const inputs = await Promise.all(items.map((item) => parseItem(item, kind, dto, context)));
      const fault = inputs.find((input) => typeof input === 'string');
      read.set(
        context,
        inputs.filter((input) => typeof input !== 'string'),
      );
      return fault ?? true;
    },
    {
      maxItems: MAX_COUNT,
      items: { anyOf: [{ type: ['integer', 'string'] }, NAMED_BY_ID, creationRef(kind)] },
    },
  );
  return RestArg(
    // Inline data have the limits of their own fields.
    { documentedDefault: null, items: 'integer', maxLength: MAX_LENGTH.text, description },
    AreLinkedPosts(),
    Transform(({ value, obj }: TransformParams) =>
      value === undefined ? undefined : read.get(getContext(obj)),
    ),
  );
}

/** Splits the value into items; undefined if it is malformed. */
function itemsOf(value: unknown): Item[] | undefined {
  if (isPhpEmpty(value)) return [];
  const list = toList(value);
  if (!list) {
    const item = toItem(value);
    return item && [item];
  }
  const items = list.map(toItem);
  return items.every((item) => item !== undefined) ? items : undefined;
}

/** PHP also parses `organizer[0][id]=8` as a list: an object with numeric keys. */
function toList(value: unknown): unknown[] | undefined {
  // A form without a selection sends one empty item.
  if (Array.isArray(value)) return value.filter((item) => item !== '');
  if (typeof value === 'string') return value.split(',').map((part) => part.trim());
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : undefined;
}

function toItem(value: unknown): Item | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const inline: Record<string, unknown> = { ...value };
    return isPhpEmpty(inline['id']) ? { inline } : toIdItem(inline['id']);
  }
  return toIdItem(value);
}

function toIdItem(value: unknown): Item | undefined {
  const id = toId(value);
  return id === undefined ? undefined : { id };
}

/** Resolves an item, or returns what is wrong with it. */
async function parseItem(
  item: Item,
  kind: LinkedPostType,
  dto: FieldsDto,
  context: CheckContext,
): Promise<LinkedPostInput | string> {
  if ('id' in item) {
    const post = await context.lookups.post(item.id);
    return post?.type === kind.type ? item : `names a ${kind.singular} that does not exist: ${item.id}.`;
  }
  if ((item.inline[kind.singular] ?? null) === null) return `holds data without the name, ${kind.singular}.`;
  try {
    const values = inlineParameters(context.classes.of(dto), item.inline);
    return { fields: await readParameters(dto, values, context) };
  } catch (error) {
    if (!(error instanceof RestException)) throw error;
    const params = Object.values(error.details.data?.['params'] ?? {});
    return `holds data that are not valid: ${params.join(' ')}`;
  }
}
