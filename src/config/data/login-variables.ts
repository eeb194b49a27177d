import { flag, issuerUrl, names, oneOf, roleMap, text } from '../parse-variable.js';
import { optional, variable } from './variable.js';

/** The variables of logins, part of `VARIABLES`. */
export const LOGIN_VARIABLES = {
  allowInsecureAuth: variable(
    'ALLOW_INSECURE_AUTH',
    'false',
    flag,
    'Accept credentials over plain HTTP from other machines.',
  ),
  apiKeys: variable(
    'API_KEYS',
    'off',
    oneOf('on', 'off'),
    '`on` accepts API keys, in a table of their own that `almanac migrate` makes ([docs/behaviour/authentication.md](docs/behaviour/authentication.md#api-keys)).',
  ),
  oidcIssuer: optional(
    'OIDC_ISSUER',
    issuerUrl,
    'Issuer of the JSON Web Tokens that are accepted, exactly as in their claim `iss`, such as `https://login.example.org/realms/main` ([docs/behaviour/authentication.md](docs/behaviour/authentication.md#openid-connect)).',
  ),
  oidcAudience: variable(
    'OIDC_AUDIENCE',
    '',
    names,
    'Audiences of these tokens, comma-separated: the claim `aud` names one of them. Required with `OIDC_ISSUER`.',
  ),
  oidcRoleClaim: optional(
    'OIDC_ROLE_CLAIM',
    text,
    'Claim of the roles: a name, or a path such as `realm_access.roles`. Absent: tokens give no roles.',
  ),
  oidcRoles: variable(
    'OIDC_ROLES',
    '',
    roleMap,
    'Roles of the site by value of `OIDC_ROLE_CLAIM`, such as `staff:editor,admins:administrator`. Absent: the values are names of roles.',
  ),
  oidcMatchEmail: variable(
    'OIDC_MATCH_EMAIL',
    'false',
    flag,
    "Whether a token with a verified e-mail address signs in the site's user with this address, with that user's rights. Otherwise the users of tokens are no users of the site.",
  ),
};
