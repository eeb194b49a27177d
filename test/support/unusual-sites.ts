import { type PhpValue, serialize } from '../../src/lib/wordpress-text/php-serialize.js';
import type { Variant } from './variant-site.js';

const map = (entries: Readonly<Record<string, PhpValue>>): Map<string, PhpValue> =>
  new Map(Object.entries(entries));

const role = (name: string, capabilities: string) =>
  map({ name, capabilities: map(Object.fromEntries(capabilities.split(' ').map((one) => [one, true]))) });

/** A German calendar below a folder and a port, in Indian time, with days that end at four in the morning. */
export const KALENDER: Variant = {
  prefix: 'kal7_',
  home: 'http://intra.example.net:8081/kalender',
  options: {
    siteurl: 'http://intra.example.net:8081/kalender/wp',
    permalink_structure: '/index.php/blog/%postname%',
    timezone_string: '',
    gmt_offset: '5.5',
    WPLANG: 'de_DE',
    stylesheet: 'astra',
    posts_per_page: '25',
    tribe_events_calendar_options: serialize(
      map({
        posts_per_page: '7',
        eventsSlug: 'Veranstaltungen',
        singleEventSlug: 'Füße',
        multiDayCutoff: '04:00',
        tribe_events_timezone_mode: 'site',
        defaultCurrencySymbol: '€',
        defaultCurrencyCode: 'EUR',
        reverseCurrencyPosition: true,
        'custom-fields': new Map([
          [0, map({ name: '_ecp_custom_2', label: 'Kleiderordnung', type: 'text' })],
          [1, map({ name: '_ecp_custom_3', label: 'Leer', type: 'text' })],
        ]),
      }),
    ),
    wp_user_roles: null,
    kal7_user_roles: serialize(
      map({
        contributor: role('Mitarbeit', 'read edit_tribe_events publish_tribe_events'),
        author: role('Autor', 'read'),
        administrator: role(
          'Leitung',
          'read edit_posts manage_categories edit_tribe_events edit_others_tribe_events edit_published_tribe_events ' +
            'publish_tribe_events publish_tribe_venues publish_tribe_organizers',
        ),
      }),
    ),
  },
  rows: {
    postmeta: [`9001,55,'_ecp_custom_2','Frack & "Fliege"'`, `9002,55,'_ecp_custom_3','0'`],
    // A second occurrence of an event whose own dates are in the past.
    tec_occurrences: [
      `9001,13,66,'2091-07-02 08:45:00','2091-07-02 12:45:00','2091-07-02 09:45:00','2091-07-02 13:45:00',3600,'x',NULL`,
    ],
  },
};

/** A French calendar at the root, in New Zealand, with plain permalinks and almost no options. */
export const AGENDA: Variant = {
  prefix: 'a_',
  home: 'https://Agenda.example.fr',
  options: {
    permalink_structure: '',
    timezone_string: 'Pacific/Auckland',
    WPLANG: 'fr_FR',
    posts_per_page: '0',
    tribe_events_calendar_options: null,
    siteurl: null,
  },
};
