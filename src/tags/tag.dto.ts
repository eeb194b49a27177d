import { listQueryOf, WriteTermDto } from '../event-terms/term.dto.js';
import { RequiredArgs, RestArg } from '../http/rest-arg.js';
import { TAG } from './tag-type.js';

/** Parameters of `GET /tags`. */
export class ListTagsQuery extends listQueryOf(TAG) {
  @RestArg({
    undeclared: true,
    parse: (value) => (/^\d{1,15}$/.test(String(value)) ? Number(value) : undefined),
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
