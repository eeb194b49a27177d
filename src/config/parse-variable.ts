import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import ipaddr from 'ipaddr.js';

/** Thrown for an invalid variable; the message completes "NAME …". */
export class InvalidValue extends Error {}

export const text = (value: string): string => value;

/** `true`, `1`, `yes`, `on` and their opposites, ignoring case. */
export function flag(value: string): boolean {
  const parsed = flagOr(value, undefined);
  if (parsed === undefined) throw new InvalidValue('must be true or false');
  return parsed;
}

function flagOr<T>(value: string, other: T): boolean | T {
  if (/^(1|true|yes|on)$/i.test(value)) return true;
  return /^(0|false|no|off)$/i.test(value) ? false : other;
}

export function wholeNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most)
      throw new InvalidValue(`must be a whole number from ${least} to ${most}`);
    return number;
  };
}

/** A number above `least`, with or without decimals. */
export function numberAbove(least: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!Number.isFinite(number) || number <= least)
      throw new InvalidValue(`must be a number above ${least}`);
    return number;
  };
}

/** A number of bytes, also as `512kb` or `2mb`. */
export function byteSize(least: number, most: number): (value: string) => number {
  const units: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };
  return (value) => {
    const [, digits = '', unit = ''] = /^(\d+) ?(b|kb|mb|gb)?$/i.exec(value) ?? [];
    const bytes = Number(digits || Number.NaN) * (units[unit.toLowerCase()] ?? 1);
    if (!(bytes >= least && bytes <= most))
      throw new InvalidValue(`must be a size from ${least} to ${most} bytes, such as 1mb`);
    return bytes;
  };
}

/** A number of processes; `auto` is one per core. */
export function workers(value: string): number {
  return /^auto$/i.test(value) ? availableParallelism() : wholeNumber(1, 256)(value);
}

/** `off` as 0, else the value of another parser. */
export function offOr(parse: (value: string) => number): (value: string) => number {
  return (value) => (/^off$/i.test(value) ? 0 : parse(value));
}

/** A time such as `10s` or `500ms` (also `m` and `h`), in milliseconds. */
export function duration(least: number, most: number): (value: string) => number {
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  return (value) => {
    const [, count, unit = ''] = /^(\d+) ?(ms|s|m|h)$/i.exec(value) ?? [];
    const milliseconds = Number(count ?? Number.NaN) * (units[unit.toLowerCase()] ?? 0);
    if (!(milliseconds >= least && milliseconds <= most))
      throw new InvalidValue(`must be a time from ${least}ms to ${most / 1000}s, such as 10s`);
    return milliseconds;
  };
}

/** A comma list of origins such as `https://example.org`; `*` (null) for all, `off` for none. */
export function origins(value: string): ReadonlySet<string> | null {
  if (value === '*') return null;
  if (/^off$/i.test(value)) return new Set();
  const found = names(value).map((name) => name.replace(/\/$/, '').toLowerCase());
  const bad = found.find((name) => !URL.canParse(name) || new URL(name).origin !== name);
  if (bad !== undefined || found.length === 0)
    throw new InvalidValue('must be *, off or a comma list of origins such as https://example.org');
  return new Set(found);
}

export function oneOf<T extends string>(...words: T[]): (value: string) => T {
  return (value) => {
    if (!(words as string[]).includes(value)) throw new InvalidValue(`must be one of ${words.join(', ')}`);
    return value as T;
  };
}

/** `off`, else `on`: npm and shells use the same name (`EDITOR=vi`). */
export function onUnlessOff(value: string): 'on' | 'off' {
  return value === 'off' ? 'off' : 'on';
}

/** An absolute http(s) URL, returned without trailing slashes. */
export function httpUrl(value: string): string {
  const url = urlOf(value, 'must be an absolute http:// or https:// address');
  if (!/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || /[\s<>"]/.test(value))
    throw new InvalidValue(
      'must be an http:// or https:// address without blanks, query, fragment or credentials',
    );
  return value.replace(/\/+$/, '');
}

/** A URL pattern of map tiles; the policy of pages allows images over HTTPS only. */
export function tilePattern(value: string): string {
  httpUrl(value.replace(/\{[zxy]\}/g, '1'));
  if (/^https:/i.test(value) && ['{z}', '{x}', '{y}'].every((name) => value.includes(name))) return value;
  throw new InvalidValue('must begin with https:// and contain {z}, {x} and {y}');
}

/** The URL of an OpenID Connect issuer, unchanged: HTTPS, or HTTP on this machine. */
export function issuerUrl(value: string): string {
  httpUrl(value);
  if (!isSafeUrl(new URL(value)))
    throw new InvalidValue('must begin with https:// (http:// on this machine only)');
  return value;
}

/** Whether what is read from a URL cannot be changed on the way: HTTPS, or this machine. */
export function isSafeUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** A comma list of `group:role`; a group may have colons, a role has none. */
export function roleMap(value: string): ReadonlyMap<string, readonly string[]> {
  const roles = new Map<string, string[]>();
  for (const pair of names(value)) {
    const [, group, role] = /^(.+):([^:]+)$/.exec(pair) ?? [];
    if (group === undefined || role === undefined)
      throw new InvalidValue('must be a comma list such as staff:editor,admins:administrator');
    roles.set(group.trim(), [...(roles.get(group.trim()) ?? []), role.trim()]);
  }
  return roles;
}

function urlOf(value: string, fault: string): URL {
  if (!URL.canParse(value)) throw new InvalidValue(fault);
  return new URL(value);
}

export function names(value: string): string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** A comma list of namespaces, without surrounding slashes and duplicates. */
export function namespaces(value: string): string[] {
  const found = value.split(',').map((name) => name.trim().replace(/^\/+|\/+$/g, ''));
  if (found.some((name) => !/^[a-z0-9_-]+(\/[a-z0-9_.-]+)*$/i.test(name)))
    throw new InvalidValue('must be a comma list of names such as cal/events/v1');
  return [...new Set(found)];
}

/** A path, returned without its trailing slash. */
export function pathPrefix(value: string): string {
  const path = value.replace(/\/+$/, '');
  if (path !== '' && !/^(\/[\w.~-]+)+$/.test(path)) throw new InvalidValue('must be a path such as /wp-json');
  return path;
}

/** Express's `trust proxy`: a flag, a number of hops, or addresses and networks such as `loopback, 10.0.0.0/8`. */
export function trustProxy(value: string): boolean | number | string {
  if (/^\d{1,3}$/.test(value)) return Number(value);
  const parsed = flagOr(value, undefined);
  if (parsed !== undefined) return parsed;
  const bad = value.split(',').find((part) => !isNetwork(part.trim()));
  if (bad !== undefined)
    throw new InvalidValue(
      `must be true, false, a number of proxies, or a comma list of addresses, networks and the words loopback, linklocal, uniquelocal; "${bad.trim()}" is none`,
    );
  return value;
}

function isNetwork(value: string): boolean {
  const [address = '', mask] = value.split('/');
  if (/^(loopback|linklocal|uniquelocal)$/.test(value)) return true;
  if (mask === undefined) return isIP(value) !== 0;
  const isMask = isIP(mask) === 4 && ipaddr.IPv4.parse(mask).prefixLengthFromSubnetMask() !== null;
  return isIP(address) !== 0 && (ipaddr.isValidCIDR(value) || (isIP(address) === 4 && isMask));
}

/** A port of the loopback interface, or an address with a port; `off` is null. */
export function listenAddress(value: string): { host: string; port: number } | null {
  if (/^off$/i.test(value)) return null;
  const [, host = '127.0.0.1', digits = ''] = /^(?:\[?([\w.:-]{1,253}?)\]?:)?(\d{1,5})$/.exec(value) ?? [];
  const port = Number(digits);
  if (port < 1 || port > 65535)
    throw new InvalidValue('must be off, a port, or an address with a port such as 127.0.0.1:9464');
  return { host, port };
}

/** A table's name, or the beginning of one. */
export function tableName(most: number): (value: string) => string {
  return (value) => {
    if (!/^[A-Za-z0-9_$]+$/.test(value) || value.length > most)
      throw new InvalidValue('may hold letters, digits and _ only');
    return value;
  };
}

/** A rate limit such as `20/5m` (also `s`, `h`): failures per time; `off` is null. */
export function rateLimitRule(value: string): { failures: number; milliseconds: number } | null {
  if (value === 'off') return null;
  const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };
  const [, failures, count, unit = ''] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})([smh])$/.exec(value) ?? [];
  if (failures === undefined) throw new InvalidValue('must be off or a rule such as 20/5m');
  return { failures: Number(failures), milliseconds: Number(count) * (units[unit] ?? 0) };
}

/** The address of the database: a MySQL server or a SQLite file. */
export type DatabaseAddress =
  | { kind: 'sqlite'; path: string; demo: boolean }
  | {
      kind: 'mysql';
      host: string;
      port: number;
      user: string;
      password: string;
      database: string;
      /** A Unix socket, used instead of host and port. */
      socketPath?: string;
      /** false = plain; true = verified TLS; 'no-verify' = TLS without checking the certificate; else a CA file. */
      ssl: boolean | string;
    };

const ADDRESS_OPTIONS = ['ssl', 'socketPath'];

/** `mysql://user:pass@host:port/db?ssl=…&socketPath=…` or `sqlite:path`. */
export function databaseAddress(value: string): DatabaseAddress {
  if (value.startsWith('sqlite:')) {
    const path = value.slice('sqlite:'.length);
    if (path === '') throw new InvalidValue('names no file after "sqlite:"');
    return { kind: 'sqlite', path, demo: false };
  }
  const url = urlOf(value, 'must look like mysql://user:password@host:3306/database or sqlite:path');
  if (!/^(mysql|mariadb):$/.test(url.protocol)) throw new InvalidValue('must begin with mysql:// or sqlite:');
  const database = decoded(url.pathname.slice(1));
  if (database === '' || database.includes('/'))
    throw new InvalidValue(
      'names no database after the host; in a password @ / # ? % are written %40 %2F %23 %3F %25',
    );
  const unknown = [...url.searchParams.keys()].find((name) => !ADDRESS_OPTIONS.includes(name));
  if (unknown !== undefined)
    throw new InvalidValue(
      `has an option ${/^\w+$/.test(unknown) ? `"${unknown}" ` : ''}that is not known; known are ${ADDRESS_OPTIONS.join(' and ')} (a ? or & of a password is written %3F, %26)`,
    );
  const ssl = url.searchParams.get('ssl') ?? 'false';
  const socketPath = url.searchParams.get('socketPath');
  return {
    kind: 'mysql',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 3306 : Number(url.port),
    user: decoded(url.username) || 'root',
    password: decoded(url.password),
    database,
    ...(socketPath && { socketPath }),
    ssl: /^required$/i.test(ssl) || flagOr(ssl, ssl),
  };
}

/** The address of a MySQL server. */
export type MysqlAddress = Extract<DatabaseAddress, { kind: 'mysql' }>;

/** A comma list of addresses of MySQL servers. */
export function mysqlAddresses(value: string): MysqlAddress[] {
  return names(value).map((name) => {
    const address = databaseAddress(name);
    if (address.kind !== 'mysql') throw new InvalidValue('may hold addresses that begin with mysql:// only');
    return address;
  });
}

/** `redis://user:password@host:6379/0`, or `rediss:` over TLS. */
export function redisUrl(value: string): string {
  const url = urlOf(value, 'must look like redis://host:6379');
  if (!/^rediss?:$/.test(url.protocol) || url.hostname === '')
    throw new InvalidValue('must begin with redis:// or rediss:// and name a host');
  return value;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new InvalidValue('holds a % that is not part of an escape; write it as %25');
  }
}
