import { almanac } from './support/command.js';
import { Issuer } from './support/issuer.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const NAMES = ['API_KEYS', 'OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_ROLE_CLAIM', 'OIDC_ROLES'];

describeEither('almanac doctor about logins', (database) => {
  let site: Site;
  let issuer: Issuer;
  beforeAll(async () => {
    site = await makeSite(database);
    issuer = await Issuer.start();
  });
  afterEach(() => {
    for (const name of NAMES) delete process.env[name];
  });
  afterAll(async () => {
    await issuer?.close();
    await site?.drop();
  });

  const findings = async (env: Record<string, string>) => {
    Object.assign(process.env, env);
    const { out } = await almanac(site.url, ['doctor', '--json']);
    const { findings: found } = JSON.parse(out) as {
      findings: { kind: string; name: string; what: string; examples: string[] }[];
    };
    return found.filter(({ kind }) => kind === 'logins');
  };

  it('finds nothing where none is configured, and where all is well', async () => {
    expect(await findings({})).toEqual([]);
    const env = {
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: 'calendar',
      OIDC_ROLE_CLAIM: 'roles',
      OIDC_ROLES: 'a:editor',
    };
    expect(await findings(env)).toEqual([]);
  });

  it('reports an issuer that does not answer, unknown roles and tokens without rights', async () => {
    issuer.fault = 'down';
    const env = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'calendar' };
    expect((await findings(env)).map(({ name }) => name)).toEqual(['logins-issuer', 'logins-no-rights']);
    const [unreachable, roles] = await findings({
      ...env,
      OIDC_ROLE_CLAIM: 'roles',
      OIDC_ROLES: 'a:editor,b:none',
    });
    expect(unreachable?.what).toContain(`The keys of ${issuer.url} cannot be read`);
    expect(roles).toMatchObject({ name: 'logins-roles', examples: ['none'] });
  });

  it('reports a missing table of API keys, and keys of deleted users', async () => {
    expect(await findings({ API_KEYS: 'on' })).toMatchObject([{ name: 'logins-no-table' }]);
    await almanac(site.url, ['api-key', 'create', 'admin', '--name', 'x']);
    expect(await findings({ API_KEYS: 'on' })).toEqual([]);
  });
});
