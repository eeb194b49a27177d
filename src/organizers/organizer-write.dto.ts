import { RequiredArgs, RestArg } from '../http/rest-arg.js';
import { ARGS } from '../linked-posts/linked-post-args.js';
import type { LinkedPostFields } from '../linked-posts/linked-post-fields.js';
import type { WritableStatus } from '../wordpress/posts/post-statuses.js';

const shownDefault = null;

/** Fields of an organizer that a create or an update may send; undefined was not sent. */
export class OrganizerFields implements LinkedPostFields {
  @RestArg({ ...ARGS.author, shownDefault, description: 'Id of the author.' })
  author?: number;
  @RestArg({ ...ARGS.date, shownDefault, description: "Publication date on the site's clock." })
  date?: string;
  @RestArg({ ...ARGS.dateUtc, shownDefault, description: 'Publication date in UTC.' })
  date_utc?: string;
  @RestArg({ ...ARGS.name, shownDefault, description: 'Name.' })
  organizer?: string;
  @RestArg({ ...ARGS.description, shownDefault, description: 'Description; empty clears it.' })
  description?: string;
  @RestArg({ ...ARGS.status, shownDefault, description: 'publish, future, draft, pending or private.' })
  status?: WritableStatus;
  @RestArg({ ...ARGS.text, shownDefault, description: 'Telephone number.' })
  phone?: string;
  @RestArg({ ...ARGS.website, shownDefault, description: 'Address of its website; empty clears it.' })
  website?: string;
  @RestArg({ ...ARGS.text, shownDefault, description: 'E-mail address; any text is taken.' })
  email?: string;
  @RestArg({ ...ARGS.image, shownDefault, description: 'Featured image: id or URL; empty removes it.' })
  image?: string;
}

/** Body of `POST /organizers`. */
@RequiredArgs('organizer')
export class CreateOrganizerDto extends OrganizerFields {}

/** Body of an update of an organizer by id. */
export class UpdateOrganizerDto extends OrganizerFields {}

/** Body of an update of an organizer by slug. */
export class UpdateOrganizerBySlugDto extends OrganizerFields {
  @RestArg({ ...ARGS.slug, description: 'New slug; empty makes one from the name.' })
  slug?: string;
}
