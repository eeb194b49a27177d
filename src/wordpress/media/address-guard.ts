import { BlockList, isIP } from 'node:net';

/** IPv4 networks that are not the public internet, or that answer only the machine itself (IANA's special-purpose registry). */
const CLOSED_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; 100.100.100.200 is a cloud's metadata
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's metadata on a public address
  '169.254.0.0/16', // link-local; 169.254.169.254 is metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; 192.0.0.192 is metadata
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];

/** The part of IPv6 that is routed at all: mapped, NAT64, local, link-local and multicast addresses lie outside. */
const GLOBAL_IPV6 = ['2000::/3'];

/** What is special within it; most of these carry an IPv4 address of anybody's choice. */
const CLOSED_IPV6 = [
  '2001::/23', // protocol assignments, Teredo, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
];

const closedIpv4 = networks(CLOSED_IPV4, 'ipv4');
const globalIpv6 = networks(GLOBAL_IPV6, 'ipv6');
const closedIpv6 = networks(CLOSED_IPV6, 'ipv6');

/** Whether a literal IP address belongs to the public internet; false for what is no address, and for scoped ones. */
export function isPublicAddress(address: string): boolean {
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 4) return !closedIpv4.check(address, 'ipv4');
  return version === 6 && globalIpv6.check(address, 'ipv6') && !closedIpv6.check(address, 'ipv6');
}

function networks(list: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const all = new BlockList();
  for (const network of list) {
    const [address = '', bits] = network.split('/');
    all.addSubnet(address, Number(bits), family);
  }
  return all;
}
