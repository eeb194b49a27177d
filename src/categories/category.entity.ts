import { ChildEntity } from 'typeorm';
import { TermTaxonomy } from '../wordpress/terms/term-taxonomy.entity.js';

/** A term of the taxonomy `tribe_events_cat`. */
@ChildEntity('tribe_events_cat')
export class Category extends TermTaxonomy {}
