import type { Environment } from '../config/env.js';
import type { RequestContext } from '../http/request-context.js';
import { findZone, offsetAt, UTC } from '../lib/wordpress-text/dates/zones.js';

interface Served {
  namespaces: readonly string[];
  routes: object;
}

/** The REST root (docs/behaviour/documents.md#rest-root). */
export function toRootResponse(
  { namespaces, routes }: Served,
  { settings, time }: Pick<RequestContext, 'settings' | 'time'>,
  { database }: Pick<Environment, 'database'>,
) {
  const { options, links } = settings;
  const option = (name: string) => options.get(name) ?? '';
  const zone = option('timezone_string');
  return {
    name: option('blogname'),
    description: option('blogdescription'),
    url: links.siteUrl,
    home: links.home,
    // As text where it was set by hand, as WordPress answers it.
    gmt_offset:
      zone === '' ? option('gmt_offset') || '0' : time.atSecond((now) => hoursFromUtc(zone, now)).value,
    timezone_string: zone,
    namespaces,
    authentication: {
      'application-passwords': {
        // Only WordPress has the page where its users allow a program to sign in; next to SQLite there is none.
        endpoints:
          database.kind === 'mysql'
            ? { authorization: `${links.siteUrl}/wp-admin/authorize-application.php` }
            : {},
      },
    },
    routes,
    _links: { help: [{ href: 'https://developer.wordpress.org/rest-api/' }] },
  };
}

const hoursFromUtc = (zone: string, now: number): number => offsetAt(findZone(zone) ?? UTC, now) / 3600;
