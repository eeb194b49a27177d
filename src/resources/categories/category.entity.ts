import { ChildEntity } from 'typeorm';
import { TermTaxonomy } from '../../wordpress/terms/term.entity.js';

/** The taxonomy of event categories. */
export const CATEGORY_TAXONOMY = 'tribe_events_cat';

/** A term of the taxonomy `tribe_events_cat`. */
@ChildEntity(CATEGORY_TAXONOMY)
export class Category extends TermTaxonomy {}
