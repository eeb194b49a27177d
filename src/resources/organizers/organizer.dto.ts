import { StatusesArg } from '../../http/params/list-args.js';
import { ListOf } from '../base/declared-field.js';
import { ListLinkedPostsQuery } from '../linked-posts/linked-post.dto.js';
import { ORGANIZER } from './organizer-type.js';

/** Parameters of `GET /organizers`. */
@ListOf(ORGANIZER)
export class ListOrganizersQuery extends ListLinkedPostsQuery {
  @StatusesArg(ORGANIZER.type) override status?: string[];
}
