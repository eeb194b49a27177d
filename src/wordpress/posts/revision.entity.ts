import { ChildEntity } from 'typeorm';
import { Post } from './post.entity.js';

/** A revision of a post's texts. */
@ChildEntity('revision')
export class Revision extends Post {}
