import { Injectable } from '@nestjs/common';
import {
  Clock,
  type JwtClaims,
  JwtStrategy,
  JwtVerifier,
  type LoginResult,
  rejectLogin,
  StartError,
  siteUser,
  virtualUser,
} from 'almanac';

/** Roles of the site by group of the company. */
const ROLES = new Map([
  ['calendar-admins', 'administrator'],
  ['communications', 'editor'],
  ['staff', 'contributor'],
]);

const textOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim !== '' ? claim : undefined;

/** Signs in employees by the access tokens of the company's OpenID Connect issuer. */
@Injectable()
export class CompanyLoginStrategy extends JwtStrategy {
  override readonly name = 'company';
  protected override readonly verifier: JwtVerifier;

  constructor(clock: Clock) {
    super();
    const issuer = process.env['COMPANY_ISSUER'];
    if (!issuer) throw new StartError('COMPANY_ISSUER must name the issuer of the company.');
    this.verifier = new JwtVerifier({
      issuer,
      audience: process.env['COMPANY_AUDIENCE'] ?? 'calendar',
      clock,
    });
  }

  /** The user of the site with the employee number, else a user that the site does not have; a group is needed. */
  override userOf({ sub, name, groups, employee_number: number }: JwtClaims): LoginResult {
    const roles = (Array.isArray(groups) ? groups : []).flatMap((group) => ROLES.get(group) ?? []);
    if (roles.length === 0)
      return rejectLogin(403, 'unknown_group', 'No group of this account may use the calendar.', {
        account: sub,
      });
    const guest = virtualUser({ subject: sub, name: textOf(name) ?? sub, roles });
    const value = textOf(number);
    return value === undefined
      ? guest
      : siteUser({ meta: { key: 'employee_number', value }, otherwise: guest });
  }
}
