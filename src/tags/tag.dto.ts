import { listQueryOf } from '../event-terms/term.dto.js';
import { RestArg } from '../http/rest-arg.js';
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
