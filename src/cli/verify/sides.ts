import type { AddressInfo } from 'node:net';
import { Environment, ownEnvironment } from '../../config/env.js';
import { StartError } from '../../database/start-error.js';
import { SettingsService } from '../../wordpress/options/settings.service.js';
import { withServer } from '../site-application.js';
import { isObject, oneLine, type ParsedResponse } from './parsed-response.js';
import { type Place, placeOf } from './places.js';
import { type ClientOptions, RateLimitedClient } from './rate-limited-client.js';

/** A compared server: its client and URLs. */
export interface Side {
  client: RateLimitedClient;
  place: Place;
}

/** The last segments of an interface's URL: `tribe/events/v1`. */
function namespaceOf(base: string): string {
  const found = /([\w-]+\/[\w-]+\/v\d+)$/.exec(base)?.[1];
  if (found === undefined)
    throw new StartError(`${base} is no address of the interface: it ends like …/wp-json/tribe/events/v1.`);
  return found;
}

/** Normalizes an entered URL without a trailing slash; throws `StartError` if it is invalid. */
export function baseOf(typed: string, option: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new StartError(`${option} needs an address such as https://example.org/wp-json/tribe/events/v1.`);
  if (url.username || url.password)
    throw new StartError(`${option}: the address must not hold a login; add --as USER.`);
  const base = typed.replace(/\/$/, '');
  namespaceOf(base);
  return base;
}

/** Connects to a server and reads its URLs; throws `StartError` if it cannot be compared. */
export async function connect(base: string, clientOptions: ClientOptions, who: string): Promise<Side> {
  const client = new RateLimitedClient(base, clientOptions);
  const isBusy = ({ status }: ParsedResponse) => status === 429 || status === 503;
  const first = await client.askOnce('');
  const index = isBusy(first) ? await client.ask('') : first;
  const at = `${who} at ${base}`;
  if (isBusy(index))
    throw new StartError(
      `${at} is busy (${index.status}), also after some tries: try again later, or at a lower --rate.`,
    );
  if (index.failure !== undefined) throw new StartError(`${at} cannot be reached: ${index.failure}`);
  if (index.status >= 300 && index.status < 400)
    throw new StartError(
      `${at} redirects to ${oneLine(`${index.headers.get('location')}`)}: use that address.`,
    );
  const code = isObject(index.json) && 'code' in index.json ? ` (${oneLine(`${index.json['code']}`)})` : '';
  if (index.status === 401 || index.status === 403)
    throw new StartError(
      `${at} refuses${clientOptions.authorization ? ' the login' : ' to answer'}: ${index.status}${code}.`,
    );
  if (index.status !== 200 || !isObject(index.json))
    throw new StartError(`${at} does not answer as the interface does: ${index.status}${code}.`);
  const link = index.headers.get('link');
  const { root } = placeOf(base, namespaceOf(base), link);
  const near = base.slice(0, base.length - namespaceOf(base).length - 1);
  const { authorization: _, ...withoutLogin } = clientOptions;
  const top = await new RateLimitedClient(near, withoutLogin).askOnce('/?_fields=home');
  const home = isObject(top.json) ? top.json['home'] : undefined;
  return {
    client,
    place: placeOf(base, namespaceOf(base), link ?? `<${root}/>; rel="https://api.w.org/"`, home),
  };
}

/** Runs work with Almanac at the given URL, or served locally from the configured database. */
export async function withAlmanac<T>(
  { against, with: other, env = ownEnvironment() }: { against: string; with?: string; env?: Environment },
  clientOptions: ClientOptions,
  work: (side: Side) => Promise<T>,
): Promise<T> {
  if (other !== undefined) return work(await connect(baseOf(other, '--with'), clientOptions, 'Almanac'));
  const namespace = namespaceOf(baseOf(against, '--against'));
  const apiNamespaces = env.apiNamespaces.includes(namespace)
    ? env.apiNamespaces
    : [...env.apiNamespaces, namespace];
  return withServer(new Environment({ ...env, apiNamespaces }), async (app) => {
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    const { links } = await app.get(SettingsService).current();
    const side = await connect(
      `http://127.0.0.1:${port}${env.pathPrefix}/${namespace}`,
      clientOptions,
      'Almanac',
    );
    return work({ ...side, place: { ...side.place, home: links.home } });
  });
}
