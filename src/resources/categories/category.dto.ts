import { RestArg } from '../../http/params/rest-arg.js';
import { ListOf } from '../base/declared-field.js';
import { ListTermsQuery, TermIdsArg } from '../terms/term.dto.js';
import { CATEGORY } from './category-type.js';
import { IsExistingCategory } from './category-write.dto.js';

/** Parameters of `GET /categories`. */
@ListOf(CATEGORY)
export class ListCategoriesQuery extends ListTermsQuery {
  @TermIdsArg(CATEGORY.taxonomy, 'Ids to leave out.') override exclude?: number[];
  @TermIdsArg(CATEGORY.taxonomy, 'Only these ids.') override include?: number[];
  @RestArg({ type: 'integer', insertBefore: 'post', description: 'Only categories directly below this one.' })
  @IsExistingCategory()
  override parent?: number;
}
