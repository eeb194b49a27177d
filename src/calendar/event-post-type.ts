/** `post_type` of events, for lower layers that read their rows. */
export const EVENT_POST_TYPE = 'tribe_events';
