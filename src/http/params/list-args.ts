import { Transform } from 'class-transformer';
import {
  CursorArg,
  FormatArg,
  InstantArg,
  MAX_CLEAN_PER_PAGE,
  OrderArg,
  OrderByArg,
} from './addition-args.js';
import { getContext, type TransformParams } from './check-context.js';
import { IsPositiveInt, IsStatusFilter } from './checks.js';
import { filterItems, itemsOf, scalarText, statusItems } from './fields.js';
import { RestArg } from './rest-arg.js';

/** Maximum page size of lists; larger values are reduced to it, as recorded. */
const MAX_PER_PAGE = 50;

/** `page` of a list. */
export const PageArg = (): PropertyDecorator =>
  RestArg({ default: 1, type: 'integer', description: 'The page of results to return.' }, IsPositiveInt());

/** `per_page`, at most 50; by default the site's setting, which the index shows as the text of the option. */
export const PerPageArg = (): PropertyDecorator =>
  RestArg(
    {
      documentedDefault: ({ settings }) => settings.perPageOption,
      type: 'integer',
      description: `How many per page, at most ${MAX_PER_PAGE}.`,
    },
    IsPositiveInt(),
    Transform(({ value, obj }: TransformParams) => {
      const { settings, sent } = getContext(obj);
      const most = sent['_format'] === 'clean' ? MAX_CLEAN_PER_PAGE : MAX_PER_PAGE;
      return value === undefined ? settings.perPage : Math.min(most, Number(value));
    }),
  );

/** `status` as a list; an empty one, of an empty text, stands for published and private. */
export const StatusesArg = (type: string): PropertyDecorator =>
  RestArg(
    { format: 'string', description: 'Only those with one of these statuses.' },
    IsStatusFilter(type),
    Transform(({ value }: TransformParams) => (value === undefined ? undefined : statusItems(value))),
  );

/** Parameters of reads of posts: the format, and what unlocks protected records: a password, or the right to edit. */
export class UnlockArgs {
  @FormatArg() _format?: string;
  @RestArg({
    undeclared: true,
    unlocks: true,
    description: 'Opens records that are protected by this password.',
    schema: { type: 'string' },
  })
  password?: unknown;
  @RestArg({
    undeclared: true,
    unlocks: true,
    description: 'edit opens protected records that the caller may edit.',
    schema: { type: 'string', enum: ['view', 'edit'] },
  })
  context?: unknown;
}

/** Parameters of reading one record. */
export class ReadArgs extends UnlockArgs {
  @RestArg({
    type: 'boolean',
    isExtension: true,
    description: 'true adds `raw`, the texts as they are stored; for who may edit the record.',
  })
  _raw?: boolean;
}

/** Parameters of all lists of posts. */
export class PostListArgs extends UnlockArgs {
  @PageArg() page: number;
  @PerPageArg() per_page: number;
  @OrderByArg() orderby?: string;
  @OrderArg() order?: string;
  @CursorArg() cursor?: string;
  @InstantArg('Only those that were changed at this time or later.') modified_after?: string;
  @InstantArg('Only those that were changed before this time, and not since.') modified_before?: string;
}

/** The ids of a filter, and its raw text for links, a list joined by commas. */
export interface IdFilter {
  ids: number[];
  text: string;
}

/** Parses a checked list of ids. */
export const toIdFilter = ({ value }: TransformParams): IdFilter | undefined =>
  value === undefined
    ? undefined
    : {
        ids: filterItems(value).map((item) => Math.min(Number(item), Number.MAX_SAFE_INTEGER)),
        text: typeof value === 'string' ? value : itemsOf(value).map(scalarText).join(','),
      };
