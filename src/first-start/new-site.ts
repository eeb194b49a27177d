import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { APPLICATION_PASSWORDS, fastHash } from '../auth/application-password.js';
import { insertRows } from '../database/insert-rows.js';
import { CALENDAR_OPTION } from '../calendar/calendar-settings.js';
import { Option } from '../wordpress/options/option.entity.js';
import { type PhpArray, type PhpValue, serialize } from '../wordpress/options/php-serialize.js';
import { present } from '../wordpress/posts/post-dates.js';
import { User } from '../wordpress/users/user.entity.js';
import { UserMeta } from '../wordpress/users/user-meta.entity.js';
import { defaultRoles } from './default-roles.js';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const PASSWORD_LENGTH = 24;

/** What tells one new site from another. */
export interface NewSite {
  /** Without a trailing slash. */
  home: string;
  name: string;
  /** IANA name; '' for UTC, as WordPress's own installation has it. */
  zone: string;
  currency: { symbol: string; code: string };
  tablePrefix: string;
  /** Epoch milliseconds. */
  now: number;
}

/** Writes the options that WordPress and the plugin would have written on installation. */
export async function writeOptions(manager: EntityManager, site: NewSite): Promise<void> {
  const saved = (site.now / 1000).toFixed(4);
  const options: [name: string, value: string][] = [
    ['siteurl', site.home],
    ['home', site.home],
    ['blogname', site.name],
    ['admin_email', 'admin@example.org'],
    ['start_of_week', '1'],
    ['use_balanceTags', '0'],
    ['use_smilies', '1'],
    ['default_comment_status', 'open'],
    ['default_ping_status', 'open'],
    ['posts_per_page', '10'],
    ['date_format', 'F j, Y'],
    ['time_format', 'g:i a'],
    ['permalink_structure', '/%postname%/'],
    ['blog_charset', 'UTF-8'],
    ['active_plugins', serialize(new Map([[0, 'the-events-calendar/the-events-calendar.php']]))],
    ['category_base', ''],
    ['gmt_offset', site.zone === '' ? '0' : ''],
    ['template', 'twentytwentyfive'],
    ['stylesheet', 'twentytwentyfive'],
    ['default_role', 'subscriber'],
    ['uploads_use_yearmonth_folders', '1'],
    ['upload_path', ''],
    ['blog_public', '1'],
    ['tag_base', ''],
    ['upload_url_path', ''],
    ['thumbnail_size_w', '150'],
    ['thumbnail_size_h', '150'],
    ['thumbnail_crop', '1'],
    ['medium_size_w', '300'],
    ['medium_size_h', '300'],
    ['large_size_w', '1024'],
    ['large_size_h', '1024'],
    ['sticky_posts', serialize(new Map())],
    ['timezone_string', site.zone],
    ['medium_large_size_w', '768'],
    ['medium_large_size_h', '0'],
    [`${site.tablePrefix}user_roles`, serialize(defaultRoles())],
    ['using_application_passwords', '1'],
    [CALENDAR_OPTION, serialize(calendarOptions(site))],
    ['tribe_last_updated_option', saved],
    ['tribe_last_save_post', saved],
    ['tec_ct1_migration_state', serialize(NO_MIGRATION)],
    ['tec_ct1_events_table_schema_version', '1.0.1'],
    ['tec_ct1_occurrences_table_schema_version', '1.0.3'],
  ];
  await manager.insert(
    Option,
    options.map(([name, value]) => ({ name, value, autoload: 'on' })),
  );
}

/** What the plugin notes on a site that never had events in the form of versions before 6. */
const NO_MIGRATION: PhpArray = new Map<string, PhpValue>([
  ['complete_timestamp', null],
  ['phase', 'migration-not-required'],
  ['preview_unsupported', false],
]);

function calendarOptions({ currency }: NewSite): PhpArray {
  return new Map<string, PhpValue>([
    ['did_init', true],
    ['tribeEventsTemplate', ''],
    ['tribeEnableViews', new Map(['list', 'month', 'day'].map((view, index) => [index, view]))],
    ['viewOption', 'list'],
    ['schema-version', '6.17.2'],
    ['previous_ecp_versions', new Map([[0, '0']])],
    ['latest_ecp_version', '6.17.2'],
    ['dateWithYearFormat', 'F j, Y'],
    ['defaultCurrencySymbol', currency.symbol],
    ['defaultCurrencyCode', currency.code],
    ['reverseCurrencyPosition', false],
    ['multiDayCutoff', '00:00'],
    ['tribe_events_timezone_mode', 'event'],
  ]);
}

/** Writes a user with one role and returns the id; nobody can log in with its account password, which is none. */
export async function writeUser(
  manager: EntityManager,
  { login, name, role, level }: { login: string; name: string; role: string; level: number },
  { tablePrefix, now }: NewSite,
): Promise<number> {
  const userId = await insertRows(manager, User, {
    login,
    passHash: `!${randomBytes(24).toString('hex')}`,
    nicename: login,
    email: `${login}@example.org`,
    registered: present(now, 'UTC').utc,
    displayName: name,
  });
  const meta = {
    nickname: name,
    [`${tablePrefix}capabilities`]: serialize(new Map([[role, true]])),
    [`${tablePrefix}user_level`]: String(level),
  };
  await manager.insert(
    UserMeta,
    Object.entries(meta).map(([key, value]) => ({ userId, key, value })),
  );
  return userId;
}

/** Gives a user an application password and returns it in clear text, in groups of four; only its hash is stored. */
export async function writeApplicationPassword(
  manager: EntityManager,
  userId: number,
  now: number,
): Promise<string> {
  const password = Array.from({ length: PASSWORD_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  const entry = new Map<string, PhpValue>([
    ['uuid', randomUUID()],
    ['app_id', ''],
    ['name', 'Almanac'],
    ['password', fastHash(password)],
    ['created', Math.floor(now / 1000)],
    ['last_used', null],
    ['last_ip', null],
  ]);
  await manager.insert(UserMeta, {
    userId,
    key: APPLICATION_PASSWORDS,
    value: serialize(new Map([[0, entry]])),
  });
  return password.replace(/(.{4})(?=.)/g, '$1 ');
}
