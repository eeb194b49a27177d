/** `post_type` of events, for what stands below their module and reads rows of theirs. */
export const EVENT_POST_TYPE = 'tribe_events';
