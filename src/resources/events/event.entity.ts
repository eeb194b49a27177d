import { ChildEntity } from 'typeorm';
import { Post } from '../../wordpress/posts/post.entity.js';

/** An event post; TypeORM adds `post_type = 'tribe_events'` to its statements. */
@ChildEntity('tribe_events')
export class Event extends Post {}
