import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { newApplicationPassword } from '../auth/application-password.js';
import { CALENDAR_OPTION } from '../calendar/calendar-settings.js';
import { insertRows } from '../database/insert-rows.js';
import { type PlainValue, serialize, toPhp } from '../lib/wordpress-text/php-serialize.js';
import { Option } from '../wordpress/options/option.entity.js';
import { nowInZone } from '../wordpress/posts/post-dates.js';
import { User, UserMeta } from '../wordpress/users/user.entity.js';
import { APPLICATION_PASSWORDS } from '../wordpress/users/users.service.js';
import { defaultRoles } from './default-roles.js';

export interface NewSite {
  /** Without a trailing slash. */
  home: string;
  name: string;
  /** IANA name; '' for UTC, as after WordPress's own installation. */
  zone: string;
  currency: { symbol: string; code: string };
  tablePrefix: string;
  /** Epoch milliseconds. */
  now: number;
}

/** The options that WordPress and the plugin write on installation, without site-specific ones. */
const DEFAULT_OPTIONS: Readonly<Record<string, PlainValue>> = {
  admin_email: 'admin@example.org',
  start_of_week: '1',
  use_balanceTags: '0',
  use_smilies: '1',
  default_comment_status: 'open',
  default_ping_status: 'open',
  posts_per_page: '10',
  date_format: 'F j, Y',
  time_format: 'g:i a',
  permalink_structure: '/%postname%/',
  blog_charset: 'UTF-8',
  active_plugins: ['the-events-calendar/the-events-calendar.php'],
  category_base: '',
  template: 'twentytwentyfive',
  stylesheet: 'twentytwentyfive',
  default_role: 'subscriber',
  uploads_use_yearmonth_folders: '1',
  upload_path: '',
  blog_public: '1',
  tag_base: '',
  upload_url_path: '',
  thumbnail_size_w: '150',
  thumbnail_size_h: '150',
  thumbnail_crop: '1',
  medium_size_w: '300',
  medium_size_h: '300',
  large_size_w: '1024',
  large_size_h: '1024',
  sticky_posts: [],
  medium_large_size_w: '768',
  medium_large_size_h: '0',
  using_application_passwords: '1',
  // State of a site that never had events of plugin versions before 6.
  tec_ct1_migration_state: {
    complete_timestamp: null,
    phase: 'migration-not-required',
    preview_unsupported: false,
  },
  tec_ct1_events_table_schema_version: '1.0.1',
  tec_ct1_occurrences_table_schema_version: '1.0.3',
};

/** The plugin's settings, stored in one option, without the site-specific currency. */
const DEFAULT_CALENDAR_OPTIONS: Readonly<Record<string, PlainValue>> = {
  did_init: true,
  tribeEventsTemplate: '',
  tribeEnableViews: ['list', 'month', 'day'],
  viewOption: 'list',
  'schema-version': '6.17.2',
  previous_ecp_versions: ['0'],
  latest_ecp_version: '6.17.2',
  dateWithYearFormat: 'F j, Y',
  defaultCurrencySymbol: '$',
  defaultCurrencyCode: 'USD',
  reverseCurrencyPosition: false,
  multiDayCutoff: '00:00',
  tribe_events_timezone_mode: 'event',
};

/** Writes the options of a fresh WordPress and plugin installation. */
export async function writeOptions(manager: EntityManager, site: NewSite): Promise<void> {
  const saved = (site.now / 1000).toFixed(4);
  const { symbol, code } = site.currency;
  const options: Record<string, PlainValue> = {
    ...DEFAULT_OPTIONS,
    siteurl: site.home,
    home: site.home,
    blogname: site.name,
    timezone_string: site.zone,
    gmt_offset: site.zone === '' ? '0' : '',
    [`${site.tablePrefix}user_roles`]: defaultRoles(),
    [CALENDAR_OPTION]: {
      ...DEFAULT_CALENDAR_OPTIONS,
      defaultCurrencySymbol: symbol,
      defaultCurrencyCode: code,
    },
    tribe_last_updated_option: saved,
  };
  await manager.insert(
    Option,
    Object.entries(options).map(([name, value]) => ({ name, value: stored(value), autoload: 'on' })),
  );
}

/** Texts stay, other values are serialized by PHP's rules. */
function stored(value: PlainValue): string {
  return typeof value === 'string' ? value : serialize(toPhp(value));
}

/** Creates a user with one role and returns the id; the account password is unusable. */
export async function writeUser(
  manager: EntityManager,
  { login, name, role, level }: { login: string; name: string; role: string; level: number },
  { tablePrefix, now }: Pick<NewSite, 'tablePrefix' | 'now'>,
): Promise<number> {
  const userId = await insertRows(manager, User, {
    login,
    passHash: `!${randomBytes(24).toString('hex')}`,
    nicename: login,
    email: `${login}@example.org`,
    registered: nowInZone(now, 'UTC').utc,
    displayName: name,
  });
  const meta = {
    nickname: name,
    [`${tablePrefix}capabilities`]: stored({ [role]: true }),
    [`${tablePrefix}user_level`]: String(level),
  };
  await manager.insert(
    UserMeta,
    Object.entries(meta).map(([key, value]) => ({ userId, key, value })),
  );
  return userId;
}

/** Creates an application password and returns it in clear text in groups of four; only its hash is stored. */
export async function writeApplicationPassword(
  manager: EntityManager,
  userId: number,
  now: number,
): Promise<string> {
  const { clear, entry } = newApplicationPassword('Almanac', now);
  await manager.insert(UserMeta, { userId, key: APPLICATION_PASSWORDS, value: stored([{ ...entry }]) });
  return clear;
}
