import sql from 'sql-template-tag';
import { asMap, unserialize } from '../../lib/wordpress-text/php-serialize.js';
import { EVENT } from '../../resources/events/event-type.js';
import { capabilitiesOf, parseRoles, type Roles } from '../../wordpress/users/capabilities.js';
import { counted } from '../counted.js';
import { type Check, type Found } from './check.js';
import type { SiteView } from './site-view.js';

const TYPES = [EVENT, ...EVENT.linked].map(({ capabilities }) => capabilities);
/** Capabilities that a calendar administrator needs. */
const NEEDED = ['edit_', 'edit_others_', 'edit_published_', 'publish_', 'delete_', 'delete_others_'].flatMap(
  (action) => TYPES.map((type) => action + type),
);
/** Capabilities that give control over the site or over all texts. */
const POWERFUL =
  /^(manage_options|unfiltered_html|edit_users|promote_users|activate_plugins|edit_others_|delete_others_)/;
/** Roles available by registration. */
const LOW = ['subscriber', 'contributor'];

export const rolesCheck: Check = {
  kind: 'roles',
  title: 'roles with odd capabilities, and users of roles that do not exist',
  tables: ['options', 'users', 'usermeta'],
  async find(site) {
    const option = `${site.database.tablePrefix}user_roles`;
    const roles = parseRoles(site.option(option));
    if (roles.size === 0) return noRoles(option);
    const holders = await usersByRights(site);
    return [
      withoutRights(roles),
      withTooMany(roles),
      ofNoRole(roles, holders),
      ...(site.database.network ? [] : [noAdmin(roles, holders)]),
    ];
  },
};

interface Holders {
  /** The usermeta `{prefix}capabilities` as stored. */
  value: string | null;
  users: number;
  first: number;
}

/** Users grouped by capabilities: there are few distinct texts. */
function usersByRights(site: SiteView): Promise<Holders[]> {
  return site.rows<Holders>(
    sql`SELECT m.meta_value AS value, COUNT(*) AS users, MIN(m.user_id) AS first
        FROM ${site.table('usermeta')} m JOIN ${site.table('users')} u ON u.ID = m.user_id
        WHERE m.meta_key = ${`${site.database.tablePrefix}capabilities`} GROUP BY m.meta_value`,
  );
}

function noRoles(option: string): Found {
  return {
    name: 'roles-none',
    severity: 'error',
    what: `The option ${option} holds no roles, or cannot be read`,
    count: 1,
    examples: [option],
    why: 'No user has any rights: everyone reads only what is public, and nobody can write.',
    advice:
      'Restore the option from a backup. Roles that stand under another name point to a wrong TABLE_PREFIX.',
  };
}

function withoutRights(roles: Roles): Found {
  const admin = roles.get('administrator');
  const lacking = admin ? NEEDED.filter((capability) => admin.get(capability) !== true) : [];
  return {
    name: 'roles-lacking',
    severity: 'warning',
    what: `The role administrator lacks ${counted(lacking.length, 'capability', 'capabilities')} of the calendar`,
    examples: lacking,
    why: 'Administrators are refused some writes (403). The plugin grants these capabilities when it is activated.',
    advice: 'Activate the plugin anew, or give the role these capabilities (wp cap add administrator …).',
  };
}

function withTooMany(roles: Roles): Found {
  const unusual = LOW.flatMap((name) => {
    const given = [...(roles.get(name) ?? [])].filter(
      ([capability, has]) => has && POWERFUL.test(capability),
    );
    return given.map(([capability]) => `${name}: ${capability}`);
  });
  return {
    name: 'roles-powerful',
    severity: 'warning',
    what: `${counted(unusual.length, 'capability', 'capabilities')} that roles for everybody should not have`,
    examples: unusual,
    why: 'Users who only registered could change the records of others, or the whole site.',
    advice: 'Remove them, unless they are intended (wp cap remove ROLE CAPABILITY).',
  };
}

/** Capabilities given to users directly look like role names that no role has. */
function ofNoRole(roles: Roles, holders: readonly Holders[]): Found {
  const known = new Set([...roles].flatMap(([name, capabilities]) => [name, ...capabilities.keys()]));
  const lost = holders.filter(({ value }) => {
    const names = [...asMap(unserialize(value ?? '')).keys()].map(String);
    const isUnreadable = names.length === 0 && !/^(a:0:\{\})?$/.test(value ?? '');
    return isUnreadable || (names.length > 0 && !names.some((name) => known.has(name)));
  });
  return {
    name: 'roles-unknown',
    severity: 'warning',
    what: `${counted(sum(lost), 'user')} whose role does not exist, or cannot be read`,
    count: sum(lost),
    examples: lost.map(({ first }) => first),
    why: 'They can sign in, but have no rights of a role.',
    advice: 'Give them a role that exists: almanac user role LOGIN ROLE',
  };
}

/** In a network, super admins have all rights regardless of the site. */
function noAdmin(roles: Roles, holders: readonly Holders[]): Found {
  const admins = holders.filter(({ value }) => capabilitiesOf(value ?? '', roles).has('manage_options'));
  return {
    name: 'roles-no-administrator',
    severity: 'warning',
    what: 'No user may manage the site',
    count: sum(admins) === 0 ? 1 : 0,
    why: 'Nobody can change settings, and perhaps nobody can write events.',
    advice: 'Give a user the role administrator: almanac user role LOGIN administrator',
  };
}

function sum(holders: readonly Holders[]): number {
  return holders.reduce((all, { users }) => all + Number(users), 0);
}
