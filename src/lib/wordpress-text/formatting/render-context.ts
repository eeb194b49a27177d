import type { PhpValue } from '../php-serialize.js';

/** The theme family, which determines the markup (R9). */
export type ThemeSupport = 'block' | 'classic' | 'classic-no-html5';

/** The site settings used by text rendering. */
export interface RenderSite {
  /** Option `home` without a trailing slash. */
  home: string;
  /** Option `siteurl` without a trailing slash. */
  siteUrl: string;
  /** Public base of the uploads folder, without a trailing slash: `SITEURL/wp-content/uploads`. */
  uploadsUrl: string;
  useSmilies: boolean;
  theme: ThemeSupport;
  /** Option `WPLANG`, such as `de_DE`; `en_US` when it is empty. */
  locale: string;
  /** Option `permalink_structure`, empty for plain links. */
  permalinkStructure: string;
  /** The named image sizes, in pixels; 0 leaves a side unlimited. */
  imageBoxes: readonly { name: string; width: number; height: number }[];
}

/** The fields of an attachment that rendering reads. */
export interface Attachment {
  id: number;
  title: string;
  excerpt: string;
  content: string;
  slug: string;
  mimeType: string;
  parentId: number;
  /** `post_date`, wall clock of the site. */
  date: string;
  /** Meta `_wp_attached_file` as stored, empty when missing. */
  file: string;
  /** Column `guid`: the URL assigned on upload. */
  guid: string;
  /** Meta `_wp_attachment_image_alt`. */
  alt: string;
  /** Meta `_wp_attachment_metadata`, unserialised; null when missing or invalid. */
  metadata: PhpValue;
  /** Whether galleries and playlists omit it for this user (R15). */
  isHidden?: boolean;
  /** Column `menu_order`; 0 when it was not loaded. */
  menuOrder?: number;
  /** URL of the attachment's own page; needed with pretty links and a parent post only. */
  link?: string;
}

const FRESH_STATE = {
  galleries: 0,
  audios: 0,
  videos: 0,
  playlists: 0,
  blockGalleries: 0,
  searchForms: 0,
  /** Counter of ids for styles of single blocks. */
  uniqueIds: 0,
  /** Whether an image of this request has got `fetchpriority="high"`. */
  highPriorityGiven: false,
  /** Whether a text with blocks was rendered: later texts run `shortcodeUnautop` before `wpautop`. */
  hadBlocks: false,
};

/** State of one request: counters of galleries, players and blocks, flags of first use. Plain data, as threads get a copy. */
export type RenderState = typeof FRESH_STATE;

/** The input of rendering the texts of one request, loaded beforehand, as rendering is synchronous. */
export interface RenderContext {
  site: RenderSite;
  attachments: ReadonlyMap<number, Attachment>;
  /** Posts whose galleries and playlists this user may not see. */
  hiddenParents?: ReadonlySet<number>;
  state: RenderState;
}

export function newRenderState(): RenderState {
  return { ...FRESH_STATE };
}
