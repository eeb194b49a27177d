import type { Environment } from '../../config/env.js';
import { webAddress } from '../../lib/wordpress-text/formatting/web-address.js';

type Roots = Pick<Environment, 'restBaseUrl' | 'pathPrefix'>;

/** The public URL of this server: that of the interface without its prefix. */
export function publicRoot({ restBaseUrl, pathPrefix }: Roots): string {
  return restBaseUrl.endsWith(pathPrefix)
    ? restBaseUrl.slice(0, restBaseUrl.length - pathPrefix.length)
    : new URL(restBaseUrl).origin;
}

/** Links of a page to the site and its records; `root` is the relative URL of the server's root. */
export interface SiteLinks {
  /** Whether the site's home is the root of this server, so that the pages of records are here too. */
  isSite: boolean;
  /** URL of the site, if it is an http URL; undefined for the root of this server, which has no page for visitors. */
  home?: string;
  /** Converts an address of the site to a URL that works on this server, relative to the page. */
  localUrl(address: unknown): string | undefined;
}

/** The links of a page below `root`, given the site's home. */
export function siteLinks(siteHome: string, root: string, environment: Roots): SiteLinks {
  const folder = (url: string) => webAddress(url)?.replace(/\/*$/, '/');
  const home = folder(siteHome);
  const isSite = home !== undefined && home === folder(publicRoot(environment));
  return {
    isSite,
    home: isSite ? undefined : webAddress(siteHome),
    localUrl: (address) => {
      const url = webAddress(address);
      return home !== undefined && url?.startsWith(home) ? root + url.slice(home.length) : url;
    },
  };
}
