import { asMap, unserialize } from '../../lib/wordpress-text/php-serialize.js';
import type { Check } from './check.js';

/** Folder name parts of plugins with a persistent object cache. */
const CACHES = /redis|memcache|object-cache|docket-cache|litespeed-cache|w3-total-cache|sqlite-object/i;

/** Checks for a persistent object cache in PHP, which our writes cannot invalidate. */
export const objectCacheCheck: Check = {
  kind: 'object-cache',
  title: 'an object cache of WordPress beside us',
  tables: ['options'],
  async find(site) {
    const plugins = [...asMap(unserialize(site.option('active_plugins'))).values()].map(String);
    const caches = plugins
      .filter((plugin) => CACHES.test(plugin))
      .map((plugin) => plugin.replace(/\/.*/, ''));
    return {
      name: 'object-cache-plugin',
      severity: 'note',
      what: `WordPress may keep rows in an object cache (active: ${caches.join(', ')})`,
      examples: caches,
      why: 'WordPress is not notified of writes by Almanac: it may show, and write back, cached rows. Almanac reads only the tables, so it is not affected.',
      advice:
        'While both write: turn the object cache off (remove wp-content/object-cache.php), or have it cleared after writes (wp cache flush). Once WordPress is gone there is nothing to do.',
    };
  },
};
