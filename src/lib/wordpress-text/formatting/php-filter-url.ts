import { isIPv6 } from 'node:net';

const NOT_URL_CHARACTER = /[^\x21-\x7e]/;
const ABSOLUTE = /^([a-z][a-z\d+.-]*):(?:\/\/([^/?#]*))?/i;
const USER_INFO = /^(?:[\w.~!$&'()*+,;=:-]|%[\da-f]{2})*$/i;
const PORT = /:(\d*)$/;
const HOST_LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;
const HOSTLESS_SCHEMES: ReadonlySet<string> = new Set(['mailto', 'news', 'file']);

/** PHP's `FILTER_VALIDATE_URL`: the URL, or false; only http and https hosts are checked. */
export function filterValidateUrl(url: string): string | false {
  if (NOT_URL_CHARACTER.test(url)) return false;
  const [, givenScheme, authority] = ABSOLUTE.exec(url) ?? [];
  if (givenScheme === undefined) return false;
  const scheme = givenScheme.toLowerCase();
  // `//` without a host only in `file:///path`.
  if (authority === '') return scheme === 'file' ? url : false;
  if (authority === undefined) return HOSTLESS_SCHEMES.has(scheme) ? url : false;
  const at = authority.lastIndexOf('@');
  if (at >= 0 && !USER_INFO.test(authority.slice(0, at))) return false;
  const hostAndPort = authority.slice(at + 1);
  const port = PORT.exec(hostAndPort)?.[1] ?? '';
  const host = hostAndPort.replace(PORT, '');
  if (host === '' || Number(port) > 65535) return false;
  if (host.includes(':') && !host.startsWith('[')) return false;
  return (scheme !== 'http' && scheme !== 'https') || isHost(host) ? url : false;
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) return host.endsWith(']') && !host.includes('%') && isIPv6(host.slice(1, -1));
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  return name.length <= 253 && name.split('.').every((label) => HOST_LABEL.test(label));
}
