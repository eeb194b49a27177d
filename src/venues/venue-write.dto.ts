import { ImageArg } from '../http/image-arg.js';
import { RequiredArgs } from '../http/rest-arg.js';
import { AuthorArg, DateUtcArg, DescriptionArg, StatusArg, TitleArg } from '../http/write-args.js';
import {
  FlagTextArg,
  NewSlugArg,
  SiteDateArg,
  TextArg,
  WebsiteArg,
} from '../linked-posts/linked-post-args.js';
import type { LinkedPostFields } from '../linked-posts/linked-post-fields.js';
import type { WritableStatus } from '../wordpress/posts/post-statuses.js';

const shown = { shownDefault: null };

/** Fields of a venue that a create or an update may send; undefined was not sent. */
export class VenueFields implements LinkedPostFields {
  @AuthorArg() author?: number;
  @SiteDateArg() date?: string;
  @DateUtcArg() date_utc?: string;
  @TitleArg('Name.') venue?: string;
  @DescriptionArg(shown) description?: string;
  @StatusArg() status?: WritableStatus;
  @FlagTextArg('Whether to show a map') show_map?: boolean;
  @FlagTextArg('Whether to link to a map') show_map_link?: boolean;
  @TextArg('Street and number.') address?: string;
  @TextArg('City.') city?: string;
  @TextArg('Country, by name or code.') country?: string;
  @TextArg('Province, outside the United States.') province?: string;
  @TextArg('State of the United States.') state?: string;
  @TextArg('Postal code.') zip?: string;
  @TextArg('Telephone number.') phone?: string;
  @TextArg('State or province; follows from those when absent.') stateprovince?: string;
  @WebsiteArg() website?: string;
  @ImageArg(shown) image?: string;
}

/** Body of `POST /venues`. */
@RequiredArgs('venue')
export class CreateVenueDto extends VenueFields {}

/** Body of an update of a venue by id. */
export class UpdateVenueDto extends VenueFields {}

/** Body of an update of a venue by slug. */
export class UpdateVenueBySlugDto extends VenueFields {
  @NewSlugArg() slug?: string;
}
