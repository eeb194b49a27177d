import { BodyExample, RequiredArgs, RestArg } from '../../http/params/rest-arg.js';
import { WriteTermDto } from '../terms/term.dto.js';

/** Body of an update of a tag. */
export class UpdateTagDto extends WriteTermDto {
  @RestArg({ undeclared: true, refused: true, description: 'Refused: tags have no parents.' })
  override parent?: number;
}

/** Body of `POST /tags`. */
@RequiredArgs('name')
@BodyExample({ name: 'outdoors' })
export class CreateTagDto extends UpdateTagDto {
  declare name: string;
}
