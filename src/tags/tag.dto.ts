import { listQueryOf, WriteTermDto } from '../event-terms/term.dto.js';
import { RequiredArgs, RestArg } from '../http/rest-arg.js';
import { TAG } from './tag-type.js';

/** Parameters of `GET /tags`. */
export class ListTagsQuery extends listQueryOf(TAG) {
  @RestArg({
    undeclared: true,
    check: (value) => typeof value !== 'object' || 'must be a number.',
    parse: (value) =>
      /^\d+$/.test(String(value)) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : undefined,
    description: 'How many terms to skip, instead of a page.',
  })
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
