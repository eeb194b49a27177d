import type { Environment } from '../config/env.js';

/** Where the interface answers on this machine, under the first of its names. */
export function localAddress({ host, pathPrefix, apiNamespaces }: Environment, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}${pathPrefix}/${apiNamespaces[0]}`;
}
