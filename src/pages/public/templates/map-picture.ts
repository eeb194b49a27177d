import { type Html, html } from '../../../lib/html.js';
import type { Position } from '../../../resources/venues/venue-places.service.js';

const ZOOM = 15;
/** In pixels, as tile servers have it. */
const TILE = 256;
const WIDTH = 512;
const HEIGHT = 256;

/** A map around a position, of the tiles of a server; `tiles` is its URL pattern with `{z}`, `{x}` and `{y}`. */
export function mapPicture(tiles: string, position: Position, label: string): Html | undefined {
  const count = 2 ** ZOOM;
  const latitude = (position.latitude * Math.PI) / 180;
  const x = ((position.longitude + 180) / 360) * count * TILE;
  const y = ((1 - Math.asinh(Math.tan(latitude)) / Math.PI) / 2) * count * TILE;
  // The projection ends near the poles.
  if (!(y >= 0 && y < count * TILE)) return undefined;
  const [left, top] = [Math.round(x - WIDTH / 2), Math.round(y - HEIGHT / 2)];
  const images: Html[] = [];
  for (let row = Math.floor(top / TILE); row * TILE < top + HEIGHT; row++)
    for (let column = Math.floor(left / TILE); column * TILE < left + WIDTH; column++) {
      if (row < 0 || row >= count) continue;
      const place = { z: ZOOM, x: (column + count) % count, y: row };
      const url = tiles.replace(/\{([zxy])\}/g, (_, name: 'z' | 'x' | 'y') => String(place[name]));
      images.push(
        html`<image href="${url}" x="${column * TILE - left}" y="${row * TILE - top}" width="${TILE}" height="${TILE}"/>`,
      );
    }
  return html`<svg class="map" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">${images}<circle cx="${WIDTH / 2}" cy="${HEIGHT / 2}" r="9"/></svg>`;
}
