import { ChildEntity } from 'typeorm';
import { Post } from '../../wordpress/posts/post.entity.js';

/** An organizer post; TypeORM adds `post_type = 'tribe_organizer'` to its statements. */
@ChildEntity('tribe_organizer')
export class Organizer extends Post {}
