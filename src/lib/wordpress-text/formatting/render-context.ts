import type { PhpValue } from '../php-serialize.js';

/** Which theme family decides the markup (R9). */
export type ThemeSupport = 'block' | 'classic' | 'classic-no-html5';

/** The facts of a site that text rendering needs; all come from its options. */
export interface RenderSite {
  /** Option `home` without a trailing slash. */
  home: string;
  /** Option `siteurl` without a trailing slash. */
  siteUrl: string;
  /** Public base of the uploads folder, without a trailing slash: `SITEURL/wp-content/uploads`. */
  uploadsUrl: string;
  /** Option `use_smilies`. */
  useSmilies: boolean;
  theme: ThemeSupport;
  /** Option `WPLANG`, such as `de_DE`; `en_US` when it is empty. */
  locale: string;
  /** Option `permalink_structure`, empty for plain links. */
  permalinkStructure: string;
  /** The named image sizes: what is shown in one is made smaller to fit; 0 leaves a side free. */
  imageBoxes: readonly { name: string; width: number; height: number }[];
}

/** One attachment with what rendering reads of it. */
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
  /** Column `guid`: the address that it was given when it was made. */
  guid: string;
  /** Meta `_wp_attachment_image_alt`. */
  alt: string;
  /** Meta `_wp_attachment_metadata`, unserialised; null when missing or not understood. */
  metadata: PhpValue;
  /** Whether galleries and playlists leave it out for this reader (R15). */
  isHidden?: boolean;
  /** Column `menu_order`; 0 when it was not loaded. */
  menuOrder?: number;
  /** Address of the attachment's own page; only those that are attached to a post need it, on pretty links. */
  link?: string;
}

const FRESH_STATE = {
  galleries: 0,
  audios: 0,
  videos: 0,
  playlists: 0,
  blockGalleries: 0,
  searchForms: 0,
  /** Ids that blocks got for styles of their own. */
  uniqueIds: 0,
  /** Whether an image has already got `fetchpriority="high"` in this request. */
  highPriorityGiven: false,
  /** Whether a text with blocks was rendered: all later ones get their paragraphs after lone shortcodes were found. */
  hadBlocks: false,
};

/** What lives as long as one request: counters of galleries, players and blocks, first-use markers. Plain data: threads get a copy. */
export type RenderState = typeof FRESH_STATE;

/** Everything that rendering one request's texts needs, loaded beforehand: rendering itself never waits. */
export interface RenderContext {
  site: RenderSite;
  attachments: ReadonlyMap<number, Attachment>;
  /** Records whose galleries and playlists this reader may not see. */
  hiddenParents?: ReadonlySet<number>;
  state: RenderState;
}

/** A fresh state for a new request. */
export function newRenderState(): RenderState {
  return { ...FRESH_STATE };
}
