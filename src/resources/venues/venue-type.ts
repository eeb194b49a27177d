import { registeredFlag } from '../../calendar/registered-meta.js';
import type { RequestContext } from '../../http/request-context.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { type MetaWriter, writeThumbnail } from '../../wordpress/posts/meta-writer.js';
import { metaKeysOf } from '../base/member.js';
import { defineResource } from '../base/resource.js';
import {
  type LinkedPostType,
  linkedPostTexts,
  type StorableFields,
  writeLegacyMeta,
  writeTexts,
} from '../linked-posts/linked-post-type.js';
import { Venue } from './venue.entity.js';
import { toVenueResponse, VenueJson } from './venue.response.js';
import { VenueFields, VenueTexts } from './venue-write.dto.js';

/** The venue resource. */
export const VENUE = defineResource({
  kind: 'post',
  type: 'tribe_venue',
  path: 'venues',
  corePath: 'tribe_venue',
  singular: 'venue',
  plural: 'venues',
  description: 'Places where events take place.',
  entity: Venue,
  capabilities: 'tribe_venues',
  linkBase: 'venue',
  linkKey: '_EventVenueID',
  originKey: '_VenueOrigin',
  writeMeta: writeVenueMeta,
  tracksSaves: true,
  body: VenueFields,
  json: VenueJson,
  toJson: toVenueResponse,
  textsToClean: (fields: VenueFields) => linkedPostTexts(VenueFields, fields),
  linkedIds: () => [],
}) satisfies LinkedPostType;

const KEYS = metaKeysOf(VenueTexts);

/**
 * Writes the meta of a venue (docs/behaviour/storage.md#meta-of-venues-and-organizers and
 * docs/behaviour/venues-and-organizers.md#state-and-province); fields that were not sent stay (W1), and a new venue
 * shows its map.
 */
function writeVenueMeta(
  meta: MetaWriter,
  fields: StorableFields<VenueFields>,
  { cleaner, settings }: Pick<RequestContext, 'cleaner' | 'settings'>,
  created?: { status: string },
): void {
  const show_map_link = fields.show_map_link ?? (created && true);
  const show_map = fields.show_map ?? (created && true);
  const words = { set: '1', unset: 'false' };
  writeFlags(meta, '_Event', show_map_link, show_map, (isSet) =>
    registeredFlag(isSet, settings.render.theme, words),
  );
  writeFlags(meta, '_Venue', show_map_link, show_map, (isSet) => (isSet ? words.set : words.unset));
  writeThumbnail(meta, fields);
  if (created) writeLegacyMeta(meta, '_Venue', fields, cleaner);
  const stateprovince = stateProvinceOf(fields, (field) => meta.get(KEYS[field])[0]) ?? (created && '');
  writeTexts(meta, VenueTexts, { ...fields, stateprovince }, cleaner);
}

function writeFlags(
  meta: MetaWriter,
  owner: '_Event' | '_Venue',
  link: boolean | undefined,
  map: boolean | undefined,
  stored: (isSet: boolean) => string,
): void {
  if (link !== undefined) meta.set(`${owner}ShowMapLink`, stored(link));
  if (map !== undefined) meta.set(`${owner}ShowMap`, stored(map));
}

/**
 * Derives the state or province from sent and stored fields; undefined if none of its sources was sent. A sent value
 * has priority unless it is empty.
 */
function stateProvinceOf(
  fields: VenueTexts,
  stored: (field: 'country' | 'state' | 'province') => string | undefined,
): string | undefined {
  const isSent = fields.state ?? fields.province ?? fields.country;
  if (isSent === undefined || !isPhpEmpty(fields.stateprovince)) return fields.stateprovince;
  const [country, state, province] = (['country', 'state', 'province'] as const).map(
    (field) => fields[field] ?? stored(field) ?? '',
  );
  const hasStates = isPhpEmpty(country) || country === 'US' || country === 'United States';
  if (hasStates && !isPhpEmpty(state)) return state;
  return isPhpEmpty(province) ? '' : province;
}
