import { definePosts, Post } from 'almanac';
import { ChildEntity } from 'typeorm';

@ChildEntity('acme_series')
export class Series extends Post {}

/** Series of events: posts of a type of their own, for whoever may write events. */
export const SERIES = definePosts({
  type: 'acme_series',
  path: 'series',
  singular: 'series',
  plural: 'series',
  capabilities: 'tribe_events',
  entity: Series,
});
