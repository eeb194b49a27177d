import type { RenderSite } from '../../lib/wordpress-text/formatting/render-context.js';
import type { MediaSettings } from '../media/media-settings.js';
import type { LinkSettings } from '../posts/permalink.js';
import type { Roles } from '../users/capabilities.js';

/** A site's settings as typed values, read from its options table. */
export interface SiteSettings {
  /** The options as they are stored, by name: what modules read theirs of (`ContentTypes.options`). */
  options: ReadonlyMap<string, string>;
  links: LinkSettings;
  render: RenderSite;
  /** `Europe/Berlin`, or `UTC+5.5` made from a manual offset. */
  zone: string;
  defaultCommentStatus: string;
  roles: Roles;
  usingApplicationPasswords: boolean;
  /** Pages that only those who manage options may edit. */
  frontPages: readonly number[];
  media: MediaSettings;
}

export interface WriteSite {
  settings: SiteSettings;
  /** Epoch milliseconds. */
  now: number;
  access: { user: { id: number } };
}
