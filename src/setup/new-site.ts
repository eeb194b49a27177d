import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { newApplicationPassword } from '../auth/application-password.js';
import { CALENDAR_OPTION } from '../calendar/calendar-settings.js';
import { insertRows } from '../database/insert-rows.js';
import { Option } from '../wordpress/options/option.entity.js';
import { type PlainValue, serialize, toPhp } from '../lib/wordpress-text/php-serialize.js';
import { nowInZone } from '../wordpress/posts/post-dates.js';
import { User, UserMeta } from '../wordpress/users/user.entity.js';
import { APPLICATION_PASSWORDS } from '../wordpress/users/users.service.js';
import { DEFAULT_CALENDAR_OPTIONS, DEFAULT_OPTIONS } from './data/options.js';
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
