import { getContext } from '../../http/params/check-context.js';
import { scalarText } from '../../http/params/fields.js';
import { makeCheck } from '../../http/params/make-check.js';
import { BodyExample, RequiredArgs, RestArg } from '../../http/params/rest-arg.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { sanitizeTitle } from '../../lib/wordpress-text/formatting/sanitize-title.js';
import { WriteTermDto } from '../terms/term.dto.js';
import { CATEGORY_TAXONOMY } from './category.entity.js';

/** Checks for the id or slug of an existing category. */
export const IsExistingCategory = makeCheck(
  'isExistingCategory',
  'must be the id of an existing category.',
  async (value, values) => {
    if (isPhpEmpty(value)) return false;
    const { lookups, settings } = getContext(values);
    const { locale } = settings.render;
    const text = scalarText(value);
    const slug = sanitizeTitle(text, { locale });
    const terms = await lookups.termsNamed(CATEGORY_TAXONOMY, [text], locale);
    return [...terms.values()].some((term) => String(term.id) === text.trim() || term.slug === slug);
  },
);

/** Body of an update of a category. */
export class UpdateCategoryDto extends WriteTermDto {
  @RestArg({ type: 'integer', description: 'Id of the category above it.' })
  @IsExistingCategory()
  override parent?: number;
}

/** Body of `POST /categories`. */
@RequiredArgs('name')
@BodyExample({ name: 'Workshops' })
export class CreateCategoryDto extends UpdateCategoryDto {
  declare name: string;
}
