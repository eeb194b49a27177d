/** A warning if links of the interface and the site's home have different origins: one of them is wrong. */
export function checkHomeUrl(restBaseUrl: string, home: string): string | undefined {
  if (!URL.canParse(home))
    return `The site's home is no address ("${home}"): ${setHomeCommand(new URL(restBaseUrl).origin)}`;
  const [rest, site] = [new URL(restBaseUrl), new URL(home)];
  if (rest.origin === site.origin) return undefined;
  const path = ({ pathname }: URL) => pathname.replace(/\/+$/, '');
  return `Links to the interface begin with ${restBaseUrl} (REST_BASE_URL), links to pages with ${home} (the site's home). If the site has moved: ${setHomeCommand(rest.origin + path(site))} If it has not: set REST_BASE_URL=${site.origin}${path(rest)}.`;
}

function setHomeCommand(home: string): string {
  return `run "almanac site set home ${home}".`;
}
