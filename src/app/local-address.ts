import type { Environment } from '../config/env.js';

/** The URL of the interface on this machine, with the first namespace. */
export function localAddress({ host, pathPrefix, apiNamespaces }: Environment, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}${pathPrefix}/${apiNamespaces[0]}`;
}
