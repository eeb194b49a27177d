/** The URLs of a server's interface as its responses state them. */
export interface Place {
  /** URL of the namespace, such as `https://example.org/wp-json/tribe/events/v1`. */
  api: string;
  /** URL of the REST root, such as `https://example.org/wp-json`. */
  root: string;
  /** URL of the site, such as `https://example.org`. */
  home: string;
}

/** Replaces the URLs of two servers by names, so that they compare equal. */
export class Places {
  private readonly names: [address: string, name: string][];

  constructor(...places: Place[]) {
    const names = places.flatMap(({ api, root, home }): [string, string][] => [
      [api, '{api}'],
      [root, '{rest}'],
      [home, '{home}'],
      [`${home.replace(/^https?:\/\//, '').replace(/:\d+(?=\/|$)/, '')}?id=`, '{site}?id='],
    ]);
    // Longest first: the home is a prefix of the others.
    this.names = names.sort(([one], [other]) => other.length - one.length);
  }

  /** Replaces URLs in a value. */
  alike(text: string): string {
    return this.names.reduce((sofar, [address, name]) => sofar.replaceAll(address, name), text);
  }

  /** Replaces URLs in a whole response, as JSON escapes them. */
  alikeBytes(text: string): string {
    return this.names.reduce(
      (sofar, [address, name]) =>
        sofar.replaceAll(address.replaceAll('/', '\\/'), name).replaceAll(address, name),
      text,
    );
  }
}

/** Reads a server's URLs from `Link` and the `home` of its REST root; `base` is the requested URL. */
export function placeOf(base: string, namespace: string, link: string | null, home?: unknown): Place {
  const said = /<(https?:\/\/\w[^>]*)>;\s*rel="?https:\/\/api\.w\.org\/"?/.exec(link ?? '')?.[1];
  const root = (said ?? base.slice(0, base.length - namespace.length)).replace(/\/$/, '');
  return {
    api: `${root}/${namespace}`,
    root,
    home: (typeof home === 'string' && /^https?:\/\/\w/.test(home)
      ? home
      : root.replace(/\/((index\.php\/)?wp-json|(index\.php)?\?rest_route=)$/, '')
    ).replace(/\/$/, ''),
  };
}
