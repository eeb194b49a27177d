import { ChildEntity } from 'typeorm';
import { TermTaxonomy } from '../../wordpress/terms/term.entity.js';

/** A term of the taxonomy `post_tag`. */
@ChildEntity('post_tag')
export class Tag extends TermTaxonomy {}
