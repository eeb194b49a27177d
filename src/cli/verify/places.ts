/** Where the interface of one server stands, as its own answers say it. */
export interface Place {
  /** The address of the namespace, such as `https://example.org/wp-json/tribe/events/v1`. */
  api: string;
  /** The address of the REST root, such as `https://example.org/wp-json`. */
  root: string;
  /** The address of the site, such as `https://example.org`. */
  home: string;
}

/** Makes the addresses of two servers alike, so that what is left to differ is more than where they stand. */
export class Places {
  private readonly names: [address: string, name: string][];

  constructor(...places: Place[]) {
    const names = places.flatMap(({ api, root, home }): [string, string][] => [
      [api, '{api}'],
      [root, '{rest}'],
      [home, '{home}'],
      [`${home.replace(/^https?:\/\//, '').replace(/:\d+(?=\/|$)/, '')}?id=`, '{site}?id='],
    ]);
    // The longest first: the home is the beginning of the others.
    this.names = names.sort(([one], [other]) => other.length - one.length);
  }

  /** A value of an answer with names in place of addresses. */
  alike(text: string): string {
    return this.names.reduce((sofar, [address, name]) => sofar.replaceAll(address, name), text);
  }

  /** The same of a whole answer, as JSON writes addresses. */
  alikeBytes(text: string): string {
    return this.names.reduce(
      (sofar, [address, name]) =>
        sofar.replaceAll(address.replaceAll('/', '\\/'), name).replaceAll(address, name),
      text,
    );
  }
}

/**
 * Where a server's interface stands, from the `Link` header and the `home` of its REST root; `base` is where it was asked.
 * `namespace`: that of the interface, such as `tribe/events/v1`.
 */
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
