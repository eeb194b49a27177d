import { startApp, type TestApp } from './support/app.js';
import { loadRecording, type RecordingName, recordedSite } from './support/replay.js';
import { describeMany, makeSite, type Site } from './support/sites.js';

interface Addressed {
  url?: unknown;
  status?: unknown;
  taxonomy?: unknown;
}

/** Every address of a record or term in recorded responses, and whether anonymous visitors may see what is there. */
function recordedAddresses(names: readonly RecordingName[]): [path: string, isPublic: boolean][] {
  const found = new Map<string, boolean>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { url, status, taxonomy } = value as Addressed;
    if (typeof url === 'string' && /^\{site\}\/[^{}]*$/.test(url) && (status ?? taxonomy) !== undefined)
      found.set(url.replace('{site}', ''), status === 'publish' || taxonomy !== undefined);
    Object.values(value).forEach(visit);
  };
  for (const name of names) visit(loadRecording(name).cases);
  return [...found];
}

describeMany('the recorded addresses', (database, few) => {
  describe.each([
    { names: ['site-a/read', 'site-a/read-more'] as const, atLeast: 180 },
    { names: ['site-d/read'] as const, atLeast: 1300 },
  ])('of $names', ({ names, atLeast }) => {
    const [name] = names;
    const addresses = recordedAddresses(names);
    let site: Site;
    let app: TestApp;

    beforeAll(async () => {
      site = await makeSite(database, recordedSite(name));
      app = await startApp({ databaseUrl: site.url, now: loadRecording(name).now });
    });
    afterAll(async () => {
      await app?.close();
      await site?.drop();
    });

    const get = (url: string | URL) => fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });

    /** What is wrong with the response of an address; undefined if it is the page of its record, or one redirect. */
    async function faultOf([path, isPublic]: readonly [string, boolean]): Promise<unknown> {
      const response = await get(app.url + path);
      const text = await response.text();
      if (!isPublic) return response.status === 404 ? undefined : [path, response.status];
      if (response.status === 301) {
        const target = new URL(response.headers.get('location') ?? '', app.url + path);
        const { status } = await get(target);
        return target.pathname === '/calendar' && status === 200 ? undefined : [path, target.href, status];
      }
      const [, canonical] = /<link rel="canonical" href="([^"]*)"/.exec(text) ?? [];
      const own = new URL(`http://calendar.example.org${path}`).href;
      return response.status === 200 && canonical === own ? undefined : [path, response.status, canonical];
    }

    it('of public records have pages, those of terms one redirect, and others nothing', async () => {
      expect(addresses.filter(([, isPublic]) => isPublic).length).toBeGreaterThan(atLeast);
      const faults = [];
      for (const address of few(addresses)) faults.push(await faultOf(address));
      expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
    });
  });
});
