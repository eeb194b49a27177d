import { type DataSource, DefaultNamingStrategy } from 'typeorm';
import type { Environment } from '../config/env.js';

/** The network (multisite) of a site. */
export interface Network {
  /** The prefix of the tables shared by all sites. */
  prefix: string;
  blogId: number;
  /** Whether the tables that list the super admins are readable. */
  isKnown: boolean;
}

/** Names tables by the site's prefix, except those of users, which a network shares. */
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
 * Detects the naming by the existing tables (docs/operating.md#networks): `wp_2_` without own users is the second site of
 * the network with `wp_users`; `wp_` is the first site of a network if the table of sites exists.
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

/** Every way to split `wp_12_` into the prefix of a network and the number of a site. */
function splits(tablePrefix: string): Omit<Network, 'isKnown'>[] {
  const digits = /\d*(?=_$)/.exec(tablePrefix)?.[0] ?? '';
  return [...digits].flatMap((first, at) => {
    const prefix = tablePrefix.slice(0, tablePrefix.length - digits.length + at - 1);
    return first === '0' || prefix === '' ? [] : [{ prefix, blogId: Number(digits.slice(at)) }];
  });
}
