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
import { FlagTextArg, MetaTextArg, NewSlugArg, SiteDateArg } from '../linked-posts/linked-post-args.js';
import type { LinkedPostFields } from '../linked-posts/linked-post-type.js';

const documented = { documentedDefault: null };

/** Texts of a venue that meta rows store, in their order of storage and output. */
export class VenueTexts {
  @MetaTextArg('_VenueAddress', 'Street and number') address?: string;
  @MetaTextArg('_VenueCity', 'City') city?: string;
  @MetaTextArg('_VenueCountry', 'Country, by name or code', { searched: false }) country?: string;
  @MetaTextArg('_VenueProvince', 'Province, outside the United States') province?: string;
  @MetaTextArg('_VenueState', 'State of the United States', { visibleWhenLocked: true }) state?: string;
  @MetaTextArg('_VenueZip', 'Postal code') zip?: string;
  @MetaTextArg('_VenuePhone', 'Telephone number') phone?: string;
  @MetaTextArg('_VenueURL', 'Address of its website', { note: 'empty clears it', searched: false })
  @IsUrlOrEmpty()
  website?: string;
  @MetaTextArg('_VenueStateProvince', 'State or province', {
    note: 'follows from those when absent',
    insertBefore: 'website',
  })
  stateprovince?: string;
}

/** Fields of a create or update of a venue; undefined was not sent. */
@BodyExample({ city: 'Lisbon' })
export class VenueFields extends VenueTexts implements LinkedPostFields {
  @AuthorArg() author?: number;
  @SiteDateArg() date?: string;
  @DateUtcArg() date_utc?: string;
  @TitleArg('Name.') venue?: string;
  @DescriptionArg(documented) description?: string;
  @StatusArg() status?: WritableStatus;
  @FlagTextArg('Whether to show a map') show_map?: boolean;
  @FlagTextArg('Whether to link to a map') show_map_link?: boolean;
  @ImageArg(documented) image?: string;
}

/** Body of `POST /venues`. */
@RequiredArgs('venue')
@BodyExample({ venue: 'Town Hall', address: '1 Market Square', city: 'Springfield' })
export class CreateVenueDto extends VenueFields {}

/** Body of an update of a venue by slug. */
export class UpdateVenueBySlugDto extends VenueFields {
  @NewSlugArg() slug?: string;
}
