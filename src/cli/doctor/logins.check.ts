import sql from 'sql-template-tag';
import { IssuerKeys } from '../../auth/strategies/oidc/issuer-keys.js';
import { API_KEYS } from '../../database/migrations/1764000001000-create-api-keys.js';
import { parseRoles } from '../../wordpress/users/capabilities.js';
import type { Check, Found } from './check.js';
import type { SiteView } from './site-view.js';

export const loginsCheck: Check = {
  kind: 'logins',
  title: 'logins by OpenID Connect or API keys that cannot work',
  async find(site) {
    const { apiKeys, oidcIssuer } = site.facts.env;
    return [
      ...(oidcIssuer === undefined
        ? []
        : [await unreachable(site, oidcIssuer), unknownRoles(site), withoutRights(site)]),
      ...(apiKeys === 'on' ? [await keys(site)] : []),
    ];
  },
};

async function unreachable({ facts }: SiteView, issuer: string): Promise<Found> {
  const fault = await new IssuerKeys(issuer, { now: () => facts.now }).refresh().then(
    () => undefined,
    (error: Error) => error.message,
  );
  return {
    name: 'logins-issuer',
    severity: 'error',
    what: fault ?? 'The issuer answers',
    count: fault === undefined ? 0 : 1,
    examples: [issuer],
    why: 'Requests with its tokens get 503 until the keys can be read; known keys are used for a day.',
    advice: 'Check OIDC_ISSUER, and whether this machine reaches it over HTTPS.',
  };
}

function unknownRoles(site: SiteView): Found {
  const roles = parseRoles(site.option(`${site.database.tablePrefix}user_roles`));
  const mapped = [...site.facts.env.oidcRoles.values()].flat();
  return {
    name: 'logins-roles',
    severity: 'warning',
    what: 'OIDC_ROLES names roles that the site does not have',
    examples: [...new Set(mapped)].filter((role) => !roles.has(role)),
    why: 'Tokens with these groups give no rights.',
    advice: `Use roles of the site: ${[...roles.keys()].join(', ')}.`,
  };
}

function withoutRights({ facts: { env } }: SiteView): Found {
  const isUseless = env.oidcRoleClaim === undefined && !env.oidcMatchEmail;
  return {
    name: 'logins-no-rights',
    severity: 'note',
    what: 'Tokens give no rights',
    count: isUseless ? 1 : 0,
    why: 'Their users are signed in, but may only read what is public.',
    advice: 'Set OIDC_ROLE_CLAIM, or OIDC_MATCH_EMAIL=true.',
  };
}

async function keys(site: SiteView): Promise<Found> {
  if (!site.has(API_KEYS))
    return {
      name: 'logins-no-table',
      severity: 'error',
      what: 'The table of API keys is missing',
      count: 1,
      why: 'Requests with an API key get 503.',
      advice: 'Run "almanac migrate" with API_KEYS=on.',
    };
  const orphans = await site.rows<{ id: string }>(
    sql`SELECT k.key_id AS id FROM ${site.table(API_KEYS)} k
        LEFT JOIN ${site.table('users')} u ON u.ID = k.user_id WHERE u.ID IS NULL LIMIT 100`,
  );
  return {
    name: 'logins-orphans',
    severity: 'note',
    what: 'API keys belong to users that do not exist',
    examples: orphans.map(({ id }) => id),
    why: 'They sign nobody in.',
    advice: 'Revoke them with "almanac api-key revoke".',
  };
}
