import { Injectable } from '@nestjs/common';
import sql, { type Sql } from 'sql-template-tag';
import { VersionedCache } from '../../cache/versioned-cache.js';
import { invalidParameter } from '../../common/errors/rest-exception.js';
import { Database } from '../../database/database.js';
import { straightJoin } from '../../database/dialect.js';
import { TableVersions } from '../../database/table-versions.service.js';
import type { RequestContext } from '../../http/request-context.js';
import { isNumeric } from '../../lib/wordpress-text/formatting/php-number.js';
import type { PostRow } from '../../wordpress/posts/post-record.js';
import { inList } from '../../wordpress/posts/post-rows.js';
import { PostVisibility } from '../../wordpress/posts/post-visibility.js';
import { isLocked, type ReadQuery, readerOf } from '../base/response-context.js';
import { VENUE } from './venue-type.js';

/** Validated parameters of a list: all three numbers, or none. */
interface PlaceQuery extends ReadQuery {
  geoloc?: boolean;
  geoloc_lat?: number;
  geoloc_lng?: number;
  /** Kilometres. */
  geoloc_radius?: number;
  orderby?: string;
}

/** Most venues in a list sorted by distance: each is a part of its statement. */
const MAX_SORTED = 1000;

/** Most cached venues: each takes some hundred bytes. */
const MAX_CACHED = 20_000;

/** Venues with coordinates that are visible to the caller. */
export interface Places {
  ids: readonly number[];
  /** Distances by id, if the list filters around a position. */
  metres?: ReadonlyMap<number, number>;
}

type VenueRow = Pick<PostRow, 'id' | 'type' | 'status' | 'author' | 'password'>;
type PlacedVenue = VenueRow & { position: Position };

/**
 * Coordinates of venues (docs/behaviour/additions.md#places). All venues that have coordinates are read by the index of meta keys
 * and cached; events are found by the ids of those that match.
 */
@Injectable()
export class VenuePlaces {
  private readonly cache = new VersionedCache<'all', PlacedVenue[]>({
    tables: ['posts', 'postmeta'],
    maxSize: MAX_CACHED,
    sizeOf: ({ length }) => Math.max(1, length),
    isSerial: true,
  });

  constructor(
    private readonly database: Database,
    private readonly visibility: PostVisibility,
    private readonly versions: TableVersions,
  ) {}

  /** The venues that match; undefined without a filter. Too many to sort by are rejected with 400. */
  async of(query: PlaceQuery, context: RequestContext): Promise<Places | undefined> {
    const { geoloc, geoloc_lat: latitude, geoloc_lng: longitude, geoloc_radius: radius } = query;
    const isAround = latitude !== undefined && longitude !== undefined && radius !== undefined;
    if (!isAround && !geoloc) return undefined;
    const positions = await this.positions(query, context);
    if (!isAround) return { ids: [...positions.keys()] };
    const metres = [...positions].map(
      ([id, position]) => [id, metresBetween({ latitude, longitude }, position)] as const,
    );
    const near = metres.filter(([, distance]) => distance <= radius * 1000);
    if (query.orderby === 'distance' && near.length > MAX_SORTED)
      throw invalidParameter(
        'geoloc_radius',
        `geoloc_radius reaches ${near.length} venues; by distance at most ${MAX_SORTED} are sorted.`,
      );
    return { ids: near.map(([id]) => id), metres: new Map(near) };
  }

  /** Positions of the venues that the caller sees and whose content is not behind a password. */
  async positions(query: ReadQuery, context: RequestContext): Promise<Map<number, Position>> {
    const all = await this.cache.get('all', await this.versions.snapshot(), () => this.read());
    const reader = readerOf(context, query);
    const open = all.filter(
      (venue) => context.access.mayRead(venue) && !isLocked({ ...venue, meta: new Map() }, reader),
    );
    const visible = await this.visibility.of(open, context);
    return new Map(visible.map(({ id, position }) => [id, position]));
  }

  /** All venues with coordinates. */
  private async read(): Promise<PlacedVenue[]> {
    const rows = await this.database.query<VenueRow & { name: string; value: string | null }>(
      sql`SELECT p.ID AS id, p.post_type AS type, p.post_status AS status, p.post_author AS author, p.post_password AS password,
            m.meta_key AS name, m.meta_value AS value
          FROM ${this.database.table('postmeta')} m
          ${straightJoin(this.database.dialect)} ${this.database.table('posts')} p ON p.ID = m.post_id
          WHERE ${inList(sql`m.meta_key`, POSITION_KEYS)} AND p.post_type = ${VENUE.type} ORDER BY m.meta_id DESC`,
    );
    // The first of several rows counts.
    const texts = new Map(POSITION_KEYS.map((key) => [key, new Map<number, string | null>()]));
    for (const { id, name, value } of rows) texts.get(name)?.set(id, value);
    const venues = new Map(rows.map(({ name: _name, value: _value, ...venue }) => [venue.id, venue]));
    return [...venues.values()].flatMap((venue) => {
      const position = positionOf((key) => texts.get(key)?.get(venue.id));
      return position ? [{ ...venue, position }] : [];
    });
  }
}

/** Sort key by distance: the metres of the id that an expression holds. */
export function distanceKey(id: Sql, metres: ReadonlyMap<number, number>): Sql {
  const pairs = [...metres].toSorted(([a], [b]) => a - b);
  // A binary search: a flat CASE would compare a thousand venues with every event.
  const among = (from: number, to: number): Sql => {
    const [first, middle] = [pairs[from], pairs[(from + to) >> 1]];
    if (!first || !middle) return sql`NULL`;
    if (to - from === 1) return sql`CASE WHEN ${id} = ${first[0]} THEN ${first[1]} END`;
    const half = (from + to) >> 1;
    return sql`CASE WHEN ${id} < ${middle[0]} THEN ${among(from, half)} ELSE ${among(half, to)} END`;
  };
  return among(0, pairs.length);
}

/** Meta keys of a venue's latitude and longitude. */
export const POSITION_KEYS = ['_VenueLat', '_VenueLng'];

/** The position in a venue's meta; undefined if it is missing or out of range. */
export function positionOf(meta: (key: string) => string | null | undefined): Position | undefined {
  const [latitude, longitude] = POSITION_KEYS.map((key) => degrees(meta(key)));
  if (latitude === undefined || longitude === undefined) return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

function degrees(text: string | null | undefined): number | undefined {
  return isNumeric(text) ? Number(text) : undefined;
}

/** A position in degrees. */
export interface Position {
  latitude: number;
  longitude: number;
}

/** The earth's mean radius, in metres. */
const RADIUS = 6_371_008.8;

/** Distance between two positions in whole metres, by the haversine formula, which also holds at the date line and the poles. */
export function metresBetween(a: Position, b: Position): number {
  const [from, to] = [radians(a.latitude), radians(b.latitude)];
  const across = Math.sin(radians(b.longitude - a.longitude) / 2);
  const along = Math.sin((to - from) / 2);
  const share = along ** 2 + Math.cos(from) * Math.cos(to) * across ** 2;
  return Math.round(2 * RADIUS * Math.asin(Math.sqrt(Math.min(1, share))));
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
