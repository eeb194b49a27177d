import { RequiredArgs, RestArg } from '../http/rest-arg.js';
import { ARGS } from '../linked-posts/linked-post-args.js';
import type { LinkedPostFields } from '../linked-posts/linked-post-fields.js';
import type { WritableStatus } from '../wordpress/posts/post-statuses.js';

const TEXT = { ...ARGS.text, shownDefault: null };

/** Fields of a venue that a create or an update may send; undefined was not sent. */
export class VenueFields implements LinkedPostFields {
  @RestArg({ ...ARGS.author, description: 'Id of the author.' })
  author?: number;
  @RestArg({ ...ARGS.date, description: "Publication date on the site's clock." })
  date?: string;
  @RestArg({ ...ARGS.dateUtc, description: 'Publication date in UTC.' })
  date_utc?: string;
  @RestArg({ ...ARGS.name, description: 'Name.' })
  venue?: string;
  @RestArg({ ...ARGS.description, shownDefault: null, description: 'Description; empty clears it.' })
  description?: string;
  @RestArg({ ...ARGS.status, description: 'publish, future, draft, pending or private.' })
  status?: WritableStatus;
  @RestArg({ ...ARGS.flag, shownDefault: null, description: 'Whether to show a map: "true" or "false".' })
  show_map?: boolean;
  @RestArg({ ...ARGS.flag, shownDefault: null, description: 'Whether to link to a map: "true" or "false".' })
  show_map_link?: boolean;
  @RestArg({ ...TEXT, description: 'Street and number.' })
  address?: string;
  @RestArg({ ...TEXT, description: 'City.' })
  city?: string;
  @RestArg({ ...TEXT, description: 'Country, by name or code.' })
  country?: string;
  @RestArg({ ...TEXT, description: 'Province, outside the United States.' })
  province?: string;
  @RestArg({ ...TEXT, description: 'State of the United States.' })
  state?: string;
  @RestArg({ ...TEXT, description: 'Postal code.' })
  zip?: string;
  @RestArg({ ...TEXT, description: 'Telephone number.' })
  phone?: string;
  @RestArg({ ...TEXT, description: 'State or province; follows from those when absent.' })
  stateprovince?: string;
  @RestArg({ ...ARGS.website, shownDefault: null, description: 'Address of its website; empty clears it.' })
  website?: string;
  @RestArg({ ...ARGS.image, shownDefault: null, description: 'Featured image: id or URL; empty removes it.' })
  image?: string;
}

/** Body of `POST /venues`. */
@RequiredArgs('venue')
export class CreateVenueDto extends VenueFields {}

/** Body of an update of a venue by id. */
export class UpdateVenueDto extends VenueFields {}

/** Body of an update of a venue by slug. */
export class UpdateVenueBySlugDto extends VenueFields {
  @RestArg({ ...ARGS.slug, description: 'New slug; empty makes one from the name.' })
  slug?: string;
}
