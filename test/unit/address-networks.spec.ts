import { BlockList } from 'node:net';
import { isPublicAddress } from '../../src/wordpress/media/safe-fetch.js';

/** What must be closed, from IANA's registries of special-purpose addresses and from the clouds' manuals. */
const CLOSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
const CLOSED_IPV6 = ['::/3', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '4000::/2', '8000::/1'];
/** Sinks of DNS (AS112) and relays of multicast (AMT): public, but nobody's images. */
const ALSO_CLOSED = ['192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24', '2620:4f:8000::/48'];
/** Networks of every kind that ipaddr.js or the registries name, for more addresses to ask about. */
const OTHERS = [
  '::/128',
  '::1/128',
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2000::/3',
  '2001::/32',
  '2001:2::/48',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:30::/28',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  '255.255.255.255/32',
];

const isV6 = (address: string) => address.includes(':');
const family = (address: string) => (isV6(address) ? 'ipv6' : 'ipv4');

/** One list per family: `::/3` in a list holds every IPv4 address too, as a mapped one. */
const closed = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const network of [...CLOSED_IPV4, ...CLOSED_IPV6, ...ALSO_CLOSED]) {
  const [address = '', bits] = network.split('/');
  closed[family(address)].addSubnet(address, Number(bits), family(address));
}

const isWrong = (address: string) =>
  isPublicAddress(address) === closed[family(address)].check(address, family(address));

function toNumber(address: string): bigint {
  if (!isV6(address)) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head = '', tail = ''] = address.split('::');
  const parts = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = 8 - parts(head).length - parts(tail).length;
  return [...parts(head), ...Array<string>(missing).fill('0'), ...parts(tail)].reduce(
    (sum, part) => sum * 65_536n + BigInt(`0x${part}`),
    0n,
  );
}

function toAddress(number: bigint, v6: boolean): string {
  const digits = number.toString(16).padStart(v6 ? 32 : 8, '0');
  return v6
    ? (digits.match(/.{4}/g) ?? []).join(':')
    : (digits.match(/../g) ?? []).map((part) => Number.parseInt(part, 16)).join('.');
}

/** The first and the last address of a network, their neighbours on both sides, and some from its midst. */
function addressesAt(network: string): string[] {
  const [base = '', bits] = network.split('/');
  const width = isV6(base) ? 128 : 32;
  const first = toNumber(base);
  const last = first + 2n ** BigInt(width - Number(bits)) - 1n;
  const midst = Array.from({ length: 64 }, (_, step) => first + ((last - first) * BigInt(step)) / 64n);
  return [first - 1n, first, first + 1n, last - 1n, last, last + 1n, ...midst]
    .filter((number) => number >= 0n && number < 2n ** BigInt(width))
    .map((number) => toAddress(number, isV6(base)));
}

describe('the SSRF address guard at the edges of every network', () => {
  const all = [...CLOSED_IPV4, ...CLOSED_IPV6, ...ALSO_CLOSED, ...OTHERS];

  it.each(all)('decides as the reference list: %s', (network) => {
    const addresses = addressesAt(network);
    expect(addresses.length).toBeGreaterThan(64);
    expect(addresses.filter(isWrong)).toEqual([]);
  });

  it('decides as the reference list in strides over all of IPv4', () => {
    const wrong: string[] = [];
    for (let number = 0n; number < 2n ** 32n; number += 65_521n) {
      const address = toAddress(number, false);
      if (isWrong(address)) wrong.push(address);
    }
    expect(wrong).toEqual([]);
  });

  it.each(['010.0.0.1', '0x7f.0.0.1', '8.8', '134744072', '0x8080808', '1.2.3.4%eth0', '2606:4700::1%1'])(
    'refuses the spelling %s',
    (address) => expect(isPublicAddress(address)).toBe(false),
  );
});
