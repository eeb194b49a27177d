import { CoreListQuery, DateTimeArg, IdsArg, DirectionArg, EnumArg } from './list.dto.js';

const ORDERS = ['author', 'date', 'id', 'include', 'modified', 'relevance', 'slug', 'title'] as const;

/** Parameters of every list of posts in `wp/v2`. */
export class CorePostListQuery extends CoreListQuery {
  @DirectionArg('desc') override order: 'ASC' | 'DESC';
  @EnumArg('What to sort by.', ORDERS, 'date') orderby: (typeof ORDERS)[number];
  @DateTimeArg('Published after this time.') after?: string;
  @DateTimeArg('Published before this time.') before?: string;
  @DateTimeArg('Changed after this time.') modified_after?: string;
  @DateTimeArg('Changed before this time.') modified_before?: string;
  @IdsArg('Only by these authors.') author?: number[];
  @IdsArg('By none of these authors.') author_exclude?: number[];
}
