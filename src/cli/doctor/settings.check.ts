import { CALENDAR_OPTION } from '../../calendar/calendar-settings.js';
import { isValidZone } from '../../lib/wordpress-text/dates/zones.js';
import { isTruthyWord } from '../../lib/wordpress-text/formatting/truthy-word.js';
import { asMap, unserialize } from '../../lib/wordpress-text/php-serialize.js';
import type { Check } from './check.js';

export const settingsCheck: Check = {
  kind: 'settings',
  title: 'a time zone that is none, no address of the site, a calendar whose REST interface is switched off',
  tables: ['options'],
  async find(site) {
    const home = site.option('home') || site.option('siteurl');
    const calendar = unserialize(site.option(CALENDAR_OPTION));
    return [
      {
        name: 'settings-zone',
        severity: 'warning',
        what: `The time zone of the site, ${site.zone}, is not known`,
        count: isValidZone(site.zone) ? 0 : 1,
        examples: [site.zone],
        why: 'It is treated as UTC: events without their own zone, and the current day, are hours off.',
        advice:
          'Choose the zone in the settings of the site, such as: almanac site set timezone Europe/Berlin',
      },
      {
        name: 'settings-home',
        severity: 'error',
        what: 'The address of the site is not set: the options home and siteurl are no http addresses',
        count: /^https?:\/\/[^/]/.test(home) ? 0 : 1,
        examples: [home],
        why: 'Links to events, venues and images are made from it.',
        advice: 'Set the public address of the site, for example: almanac site set home https://example.org',
      },
      {
        name: 'settings-calendar',
        severity: 'error',
        what: `The option ${CALENDAR_OPTION} cannot be read`,
        count: site.option(CALENDAR_OPTION) !== '' && !(calendar instanceof Map) ? 1 : 0,
        examples: [CALENDAR_OPTION],
        why: 'Currency, slugs, the number of events per page and the like are the defaults, and the first and last date of the calendar are not kept.',
        advice: 'Save the settings of the calendar anew, or restore the option from a backup.',
      },
      {
        name: 'settings-rest-off',
        severity: 'warning',
        what: 'The settings of the calendar switch its REST interface off',
        count: isTruthyWord(asMap(calendar).get('rest-v1-disabled')) ? 1 : 0,
        examples: ['rest-v1-disabled'],
        why: 'Almanac obeys this as the plugin does: all its routes are 404.',
        advice: `Switch it on in the settings of the calendar (rest-v1-disabled in the option ${CALENDAR_OPTION}).`,
      },
    ];
  },
};
