import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A cloud's metadata on a public address. */
const CLOUD_METADATA = '168.63.129.16';
/** The part of IPv6 that is routed at all; ipaddr.js knows only what was set aside for something outside it. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether a literal IP address belongs to the public internet; false for what is no address, and for scoped ones. */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js also reads `127.1`, `0x7f000001` and `010.0.0.1`.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || address === CLOUD_METADATA) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}
