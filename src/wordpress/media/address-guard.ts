import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Azure's metadata service, on a public address. */
const CLOUD_METADATA = '168.63.129.16';
/** The routed part of IPv6; ipaddr.js knows special ranges only. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether a literal IP address is public; false for invalid and scoped ones. */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also parses `127.1`, `0x7f000001` and `010.0.0.1`.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || address === CLOUD_METADATA) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}
