import {
  LatitudeArg,
  LongitudeArg,
  OrderByArg,
  POST_ORDERS,
  RadiusArg,
  StatusesArg,
} from '../../http/params/list-args.js';
import { RestArg } from '../../http/params/rest-arg.js';
import { ListOf } from '../base/declared-field.js';
import { ListLinkedPostsQuery } from '../linked-posts/linked-post.dto.js';
import { VENUE } from './venue-type.js';

/** Parameters of `GET /venues`. */
@ListOf(VENUE)
export class ListVenuesQuery extends ListLinkedPostsQuery {
  @StatusesArg(VENUE.type) override status?: string[];
  @RestArg({ isExtension: true, type: 'boolean', description: 'Only venues that have coordinates.' })
  geoloc?: boolean;
  @LatitudeArg() geoloc_lat?: number;
  @LongitudeArg() geoloc_lng?: number;
  @RadiusArg() geoloc_radius?: number;
  @OrderByArg([...POST_ORDERS, 'distance']) override orderby?: string;
}
