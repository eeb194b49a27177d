import { Transform } from 'class-transformer';
import { ListTermsQuery, TermIdsArg, WriteTermDto } from '../event-terms/term.dto.js';
import type { Given } from '../http/check-context.js';
import { makeCheck } from '../http/make-check.js';
import { RequiredArgs, RestArg } from '../http/rest-arg.js';
import { TAG } from './tag-type.js';

const IsScalar = makeCheck('isScalar', 'must be a number.', (value) => typeof value !== 'object');

/** Parameters of `GET /tags`. */
export class ListTagsQuery extends ListTermsQuery {
  @TermIdsArg(TAG.taxonomy, 'Ids to leave out.') override exclude?: number[];
  @TermIdsArg(TAG.taxonomy, 'Only these ids.') override include?: number[];
  @RestArg({ undeclared: true, description: 'How many terms to skip, instead of a page.' })
  @IsScalar()
  @Transform(({ value }: Given) =>
    /^\d+$/.test(String(value)) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : undefined,
  )
  override offset?: number;
}

/** Body of an update of a tag. */
export class UpdateTagDto extends WriteTermDto {
  @RestArg({ undeclared: true, description: 'Refused: tags have no parents.' })
  override parent?: number;
}

/** Body of `POST /tags`. */
@RequiredArgs('name')
export class CreateTagDto extends UpdateTagDto {
  declare name: string;
}
