import { Transform } from 'class-transformer';
import { RestException } from '../../common/errors/rest-exception.js';
import { type CheckContext, getContext, type TransformParams } from '../../http/params/check-context.js';
import { toId } from '../../http/params/fields.js';
import { MAX_LENGTH } from '../../http/params/limits.js';
import { makeCheck } from '../../http/params/make-check.js';
import { readParameters } from '../../http/params/parameters.js';
import { inlineParameters, RestArg, applyDecorators } from '../../http/params/rest-arg.js';
import { creationRef } from '../base/json-schema.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import type { LinkedPostFields } from './linked-post-fields.js';
import type { LinkedPostType } from './linked-post-type.js';

/** A venue or organizer that an event wants: one that exists, or the data of one to be found or made. */
export type LinkedPostInput = { id: number } | { fields: LinkedPostFields };

type FieldsDto = new () => LinkedPostFields;

/** Most records that one event may name: each costs look-ups before anybody is known to have rights. */
const MAX_COUNT = 100;

const NAMED_BY_ID = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };

type Item = { id: number } | { inline: Record<string, unknown> };

/**
 * Declares the `venue` or `organizer` of an event: it takes what W10 lists, which is an id, a list or a comma text of ids,
 * `{id}`, inline data, a list that mixes them; anything empty unlinks. Everything else is refused, as are ids of nothing and
 * of other types. The value becomes a `LinkedPostWish[]`, undefined when nothing was sent.
 */
export function LinkedPostsArg(kind: LinkedPostType, dto: FieldsDto, description: string): PropertyDecorator {
  // What the check has read is not read again.
  const read = new WeakMap<CheckContext, LinkedPostInput[]>();
  const AreLinkedPosts = makeCheck(
    'areLinkedPosts',
    `must be ids of ${kind.many}, or data of new ones.`,
    async (value, values) => {
      const items = itemsOf(value);
      if (!items) return false;
      if (items.length > MAX_COUNT) return `may name at most ${MAX_COUNT} ${kind.many}.`;
      const context = getContext(values);
      const wishes = await Promise.all(items.map((item) => wishOf(item, kind, dto, context)));
      const fault = wishes.find((wish) => typeof wish === 'string');
      read.set(
        context,
        wishes.filter((wish) => typeof wish !== 'string'),
      );
      return fault ?? true;
    },
    {
      maxItems: MAX_COUNT,
      items: { anyOf: [{ type: ['integer', 'string'] }, NAMED_BY_ID, creationRef(kind)] },
    },
  );
  return applyDecorators(
    // Inline data are held to the limits of their own fields.
    RestArg({ documentedDefault: null, items: 'integer', maxLength: MAX_LENGTH.text, description }),
    AreLinkedPosts(),
    Transform(({ value, obj }: TransformParams) =>
      value === undefined ? undefined : read.get(getContext(obj)),
    ),
  );
}

/** The value taken apart; undefined for a shape that is not known. */
function itemsOf(value: unknown): Item[] | undefined {
  if (isPhpEmpty(value)) return [];
  const list = listOf(value);
  if (!list) {
    const item = itemOf(value);
    return item && [item];
  }
  const items = list.map(itemOf);
  return items.every((item) => item !== undefined) ? items : undefined;
}

/** PHP makes a list of `organizer[0][id]=8` too: an object whose keys are numbers. */
function listOf(value: unknown): unknown[] | undefined {
  // A form that names nothing sends one empty item.
  if (Array.isArray(value)) return value.filter((item) => item !== '');
  if (typeof value === 'string') return value.split(',').map((part) => part.trim());
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : undefined;
}

function itemOf(value: unknown): Item | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const inline: Record<string, unknown> = { ...value };
    return isPhpEmpty(inline['id']) ? { inline } : idOf(inline['id']);
  }
  return idOf(value);
}

function idOf(value: unknown): Item | undefined {
  const id = toId(value);
  return id === undefined ? undefined : { id };
}

/** What an item asks for, or what is wrong with it. */
async function wishOf(
  item: Item,
  kind: LinkedPostType,
  dto: FieldsDto,
  context: CheckContext,
): Promise<LinkedPostInput | string> {
  if ('id' in item) {
    const post = await context.lookups.post(item.id);
    return post?.type === kind.type ? item : `names a ${kind.one} that does not exist: ${item.id}.`;
  }
  if ((item.inline[kind.one] ?? null) === null) return `holds data without the name, ${kind.one}.`;
  try {
    const values = inlineParameters(context.classes.of(dto), item.inline);
    return { fields: await readParameters(dto, values, context) };
  } catch (error) {
    if (!(error instanceof RestException)) throw error;
    const params = Object.values(error.details.data?.['params'] ?? {});
    return `holds data that are not valid: ${params.join(' ')}`;
  }
}
