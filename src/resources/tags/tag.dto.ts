import { Transform } from 'class-transformer';
import type { TransformParams } from '../../http/params/check-context.js';
import { makeCheck } from '../../http/params/make-check.js';
import { RestArg } from '../../http/params/rest-arg.js';
import { ListOf } from '../base/declared-field.js';
import { ListTermsQuery, TermIdsArg } from '../terms/term.dto.js';
import { TAG } from './tag-type.js';

const IsScalar = makeCheck('isScalar', 'must be a number.', (value) => typeof value !== 'object');

/** Parameters of `GET /tags`. */
@ListOf(TAG)
export class ListTagsQuery extends ListTermsQuery {
  @TermIdsArg(TAG.taxonomy, 'Ids to leave out.') override exclude?: number[];
  @TermIdsArg(TAG.taxonomy, 'Only these ids.') override include?: number[];
  @RestArg({
    undeclared: true,
    schema: { type: 'integer' },
    description: 'How many terms to skip, instead of a page.',
  })
  @IsScalar()
  @Transform(({ value }: TransformParams) =>
    /^\d+$/.test(String(value)) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : undefined,
  )
  override offset?: number;
}
