import { MAX_LENGTH } from '../http/params/limits.js';
import { RequiredArgs, RestArg } from '../http/params/rest-arg.js';
import type { TermOrder } from '../wordpress/terms/terms.service.js';
import { CoreListQuery, DirectionArg, EnumArg } from './list.dto.js';

const ORDERS = ['id', 'include', 'name', 'slug', 'term_group', 'description', 'count'] as const;

/** Parameters of `GET /tags`. */
export class ListCoreTagsQuery extends CoreListQuery {
  @DirectionArg('asc') override order: 'ASC' | 'DESC';
  @EnumArg('What to sort by.', ORDERS, 'name') orderby: TermOrder;
  @RestArg({ type: 'boolean', default: false, description: 'Leave out terms that no post has.' })
  hide_empty: boolean;
  @RestArg({ type: 'integer', description: 'Only terms of this post.' })
  post?: number;
}

/** Parameters of `GET /tribe_events_cat`. */
export class ListCoreCategoriesQuery extends ListCoreTagsQuery {
  @RestArg({ type: 'integer', description: 'Only terms directly below this one; 0 is the top.' })
  parent?: number;
}

/** Fields of an update of a term. */
export class UpdateCoreTermDto {
  @RestArg({ type: 'string', description: 'Name.' }) name?: string;
  @RestArg({ type: 'string', maxLength: MAX_LENGTH.text, description: 'Description; may hold inline tags.' })
  description?: string;
  @RestArg({ type: 'string', description: 'Slug; made from the name when absent or empty.' })
  slug?: string;
  @RestArg({ type: 'integer', description: 'Id of the term above it; only where terms are a tree.' })
  parent?: number;
}

/** Fields of a new term. */
@RequiredArgs('name')
export class CreateCoreTermDto extends UpdateCoreTermDto {
  declare name: string;
}
