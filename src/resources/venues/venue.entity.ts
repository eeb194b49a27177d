import { ChildEntity } from 'typeorm';
import { Post } from '../../wordpress/posts/post.entity.js';

/** A venue post; TypeORM adds `post_type = 'tribe_venue'` to its statements. */
@ChildEntity('tribe_venue')
export class Venue extends Post {}
