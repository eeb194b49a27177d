import { BodyExample, RequiredArgs } from '../../http/params/rest-arg.js';
import {
  AuthorArg,
  DateUtcArg,
  DescriptionArg,
  ImageArg,
  IsUrlOrEmpty,
  StatusArg,
  TitleArg,
} from '../../http/params/write-args.js';
import type { WritableStatus } from '../../wordpress/posts/post-statuses.js';
import { MetaTextArg, NewSlugArg, SiteDateArg } from '../linked-posts/linked-post-args.js';
import type { LinkedPostFields } from '../linked-posts/linked-post-type.js';

const documented = { documentedDefault: null };

/** Texts of an organizer that meta rows store, in their order of storage and output. */
export class OrganizerTexts {
  @MetaTextArg('_OrganizerPhone', 'Telephone number') phone?: string;
  @MetaTextArg('_OrganizerWebsite', 'Address of its website', { note: 'empty clears it' })
  @IsUrlOrEmpty()
  website?: string;
  @MetaTextArg('_OrganizerEmail', 'E-mail address', { note: 'any text is taken' }) email?: string;
}

/** Fields of a create or update of an organizer; undefined was not sent. */
@BodyExample({ email: 'hello@example.org' })
export class OrganizerFields extends OrganizerTexts implements LinkedPostFields {
  @AuthorArg(documented) author?: number;
  @SiteDateArg(documented) date?: string;
  @DateUtcArg(documented) date_utc?: string;
  @TitleArg('Name.', documented) organizer?: string;
  @DescriptionArg(documented) description?: string;
  @StatusArg(documented) status?: WritableStatus;
  @ImageArg(documented) image?: string;
}

/** Body of `POST /organizers`. */
@RequiredArgs('organizer')
@BodyExample({ organizer: 'Friends of Music', email: 'hello@example.org' })
export class CreateOrganizerDto extends OrganizerFields {}

/** Body of an update of an organizer by slug. */
export class UpdateOrganizerBySlugDto extends OrganizerFields {
  @NewSlugArg() slug?: string;
}
