import type { TextToClean } from '../wordpress/rendering/cleaning.service.js';
import type { WritableStatus } from '../wordpress/posts/post-statuses.js';

const TEXT_FIELDS = [
  'address',
  'city',
  'country',
  'province',
  'state',
  'zip',
  'phone',
  'website',
  'stateprovince',
  'email',
] as const;

/** Texts of a venue or organizer that are kept as meta. */
export type TextField = (typeof TEXT_FIELDS)[number];

/** What a create or an update of a venue or organizer may send, each kind its own part; undefined was not sent. */
export interface LinkedPostFields extends Partial<Record<TextField, string>> {
  author?: number;
  /** Wall clock of the site, `YYYY-MM-DD HH:MM:SS`. */
  date?: string;
  /** The same in UTC. */
  date_utc?: string;
  /** Name of a venue. */
  venue?: string;
  /** Name of an organizer. */
  organizer?: string;
  description?: string;
  status?: WritableStatus;
  /** '' asks for one made from the name. */
  slug?: string;
  show_map?: boolean;
  show_map_link?: boolean;
  /** Id of an attachment or a URL; '' removes the featured image. */
  image?: string;
}

/** The same once its image is stored. */
export interface StorableFields extends LinkedPostFields {
  /** Id of the attachment that `image` stands for; 0 removes the featured image. */
  imageId?: number;
}

/** All texts of a venue or organizer that a write cleans. */
export function textsToClean(fields: LinkedPostFields): TextToClean[] {
  const { venue, organizer, description } = fields;
  return [
    ['title', venue],
    ['title', organizer],
    ['content', description],
    ['line', description],
    ...TEXT_FIELDS.map((field): TextToClean => ['line', fields[field]]),
  ];
}
