import { type DataSource, DefaultNamingStrategy } from 'typeorm';
import type { Environment } from '../config/env.js';

/** The network of sites that a site belongs to, and the site's number in it. */
export interface Network {
  /** What the names of tables begin with that all its sites share. */
  prefix: string;
  blogId: number;
  /** Whether the tables that say who its super admins are may be read. */
  isKnown: boolean;
}

/** How tables are named: after the site's prefix, but for those of users, which the sites of a network share. */
export class SiteNaming extends DefaultNamingStrategy {
  private readonly elsewhere: ReadonlyMap<string, string>;

  constructor(
    { usersTable, usermetaTable }: Environment,
    readonly network?: Network,
    usersPrefix?: string,
  ) {
    super();
    const shared = (name: string) => usersPrefix && usersPrefix + name;
    const found = [
      ['users', usersTable ?? shared('users')],
      ['usermeta', usermetaTable ?? shared('usermeta')],
    ] as const;
    this.elsewhere = new Map(found.flatMap(([name, table]) => (table ? [[name, table]] : [])));
  }

  override prefixTableName(prefix: string, name: string): string {
    return this.elsewhere.get(name) ?? prefix + name;
  }
}

/** The full name of a table such as `posts`. */
export function tableName({ options, namingStrategy }: DataSource, name: string): string {
  return namingStrategy.prefixTableName(options.entityPrefix ?? '', name);
}

/**
 * How a site's tables are named, by those that are there (docs/operating.md#networks): `wp_2_` without users of its own is the
 * second site of the network whose users are in `wp_users`; `wp_` is the first one of a network that has a table of sites.
 */
export function namingOf(tables: ReadonlySet<string>, env: Environment): SiteNaming {
  const { tablePrefix, multisite } = env;
  const sub = splits(tablePrefix).find(({ prefix }) =>
    ['users', 'usermeta'].every((name) => tables.has(prefix + name) && !tables.has(tablePrefix + name)),
  );
  const site = sub ?? { prefix: tablePrefix, blogId: 1 };
  const isKnown = ['sitemeta', 'blogs'].every((name) => tables.has(site.prefix + name));
  const isNetwork = multisite ?? (isKnown || sub !== undefined);
  return new SiteNaming(env, isNetwork ? { ...site, isKnown } : undefined, sub?.prefix);
}

/** Every way to read `wp_12_` as the prefix of a network and the number of a site. */
function splits(tablePrefix: string): Omit<Network, 'isKnown'>[] {
  const digits = /\d*(?=_$)/.exec(tablePrefix)?.[0] ?? '';
  return [...digits].flatMap((first, at) => {
    const prefix = tablePrefix.slice(0, tablePrefix.length - digits.length + at - 1);
    return first === '0' || prefix === '' ? [] : [{ prefix, blogId: Number(digits.slice(at)) }];
  });
}
