import { listQueryOf } from '../linked-posts/linked-post.dto.js';
import { VENUE } from './venue-type.js';

/** Parameters of `GET /venues`. */
export class ListVenuesQuery extends listQueryOf(VENUE) {}
