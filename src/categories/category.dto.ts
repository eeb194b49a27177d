import { scalarText } from '../http/fields.js';
import { listQueryOf, WriteTermDto } from '../event-terms/term.dto.js';
import { type Check, RequiredArgs, RestArg } from '../http/rest-arg.js';
import { isPhpEmpty } from '../wordpress/formatting/php-empty.js';
import { sanitizeTitle } from '../wordpress/formatting/sanitize-title.js';
import { CATEGORY } from './category-type.js';

const UNKNOWN = 'must be the id of an existing category.';

const existingCategory: Check = async (value, { lookups, settings }) => {
  if (isPhpEmpty(value)) return UNKNOWN;
  const text = scalarText(value);
  const slug = sanitizeTitle(text, { locale: settings.render.locale });
  const terms = await lookups.termsNamed(CATEGORY.taxonomy, [text], settings.render.locale);
  return [...terms.values()].some((term) => String(term.id) === text.trim() || term.slug === slug) || UNKNOWN;
};

/** Parameters of `GET /categories`. */
export class ListCategoriesQuery extends listQueryOf(CATEGORY) {
  @RestArg({
    type: 'integer',
    before: 'post',
    check: existingCategory,
    description: 'Only categories directly below this one.',
  })
  override parent?: number;
}

/** Body of an update of a category. */
export class UpdateCategoryDto extends WriteTermDto {
  @RestArg({ type: 'integer', check: existingCategory, description: 'Id of the category above it.' })
  override parent?: number;
}

/** Body of `POST /categories`. */
@RequiredArgs('name')
export class CreateCategoryDto extends UpdateCategoryDto {
  declare name: string;
}
