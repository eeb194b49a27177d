import { ChildEntity } from 'typeorm';
import { TermTaxonomy } from '../../wordpress/terms/term-taxonomy.entity.js';

/** A term of the taxonomy `post_tag`. */
@ChildEntity('post_tag')
export class Tag extends TermTaxonomy {}
