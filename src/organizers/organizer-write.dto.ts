import { ImageArg } from '../http/image-arg.js';
import { RequiredArgs } from '../http/rest-arg.js';
import { AuthorArg, DateUtcArg, DescriptionArg, StatusArg, TitleArg } from '../http/write-args.js';
import { NewSlugArg, SiteDateArg, TextArg, WebsiteArg } from '../linked-posts/linked-post-args.js';
import type { LinkedPostFields } from '../linked-posts/linked-post-fields.js';
import type { WritableStatus } from '../wordpress/posts/post-statuses.js';

const shown = { shownDefault: null };

/** Fields of an organizer that a create or an update may send; undefined was not sent. */
export class OrganizerFields implements LinkedPostFields {
  @AuthorArg(shown) author?: number;
  @SiteDateArg(shown) date?: string;
  @DateUtcArg(shown) date_utc?: string;
  @TitleArg('Name.', shown) organizer?: string;
  @DescriptionArg(shown) description?: string;
  @StatusArg(shown) status?: WritableStatus;
  @TextArg('Telephone number.') phone?: string;
  @WebsiteArg() website?: string;
  @TextArg('E-mail address; any text is taken.') email?: string;
  @ImageArg(shown) image?: string;
}

/** Body of `POST /organizers`. */
@RequiredArgs('organizer')
export class CreateOrganizerDto extends OrganizerFields {}

/** Body of an update of an organizer by id. */
export class UpdateOrganizerDto extends OrganizerFields {}

/** Body of an update of an organizer by slug. */
export class UpdateOrganizerBySlugDto extends OrganizerFields {
  @NewSlugArg() slug?: string;
}
