import { StatusesArg } from '../http/list-args.js';
import { ListLinkedPostsQuery } from '../linked-posts/linked-post.dto.js';
import { ListOf } from '../resources/declared-field.js';
import { VENUE } from './venue-type.js';

/** Parameters of `GET /venues`. */
@ListOf(VENUE)
export class ListVenuesQuery extends ListLinkedPostsQuery {
  @StatusesArg(VENUE.type) override status?: string[];
}
