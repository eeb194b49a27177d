import { wpKses } from './wp-kses.js';

/** The HTML that may stand in a post; `uploadsUrl` as in `wpKses`. */
export function wpKsesPost(text: string, uploadsUrl = ''): string {
  return wpKses(text, 'post', uploadsUrl);
}
