import { listQueryOf } from '../linked-posts/linked-post.dto.js';
import { ORGANIZER } from './organizer-type.js';

/** Parameters of `GET /organizers`. */
export class ListOrganizersQuery extends listQueryOf(ORGANIZER) {}
