import { Injectable } from '@nestjs/common';
import { Clock, type JwtClaims, JwtStrategy, JwtVerifier, type LoginResult, rejectLogin, siteUser, virtualUser } from 'almanac';
import { Employees } from './employees.js';

/** Roles of the site by group of the company. */
const ROLES = new Map([
  ['calendar-admins', 'administrator'],
  ['communications', 'editor'],
  ['staff', 'contributor'],
]);

const textOf = (claim: unknown): string | undefined => (typeof claim === 'string' && claim !== '' ? claim : undefined);

/** Signs in employees by the access tokens of the company's OpenID Connect issuer. */
@Injectable()
export class CompanyLoginStrategy extends JwtStrategy {
  override readonly name = 'company';
  protected override readonly verifier: JwtVerifier;
  private readonly issuer = process.env['COMPANY_ISSUER'];

  constructor(
    clock: Clock,
    private readonly employees: Employees,
  ) {
    super();
    const audience = process.env['COMPANY_AUDIENCE'] ?? 'calendar';
    this.verifier = new JwtVerifier({ issuer: this.issuer ?? 'https://unconfigured.invalid', audience, clock });
  }

  override get isActive(): boolean {
    return this.issuer !== undefined;
  }

  override async userOf(claims: JwtClaims): Promise<LoginResult> {
    const { sub, groups } = claims;
    const roles = (Array.isArray(groups) ? groups : []).flatMap((group) => ROLES.get(group) ?? []);
    if (roles.length === 0) {
      return rejectLogin(403, 'unknown_group', 'No group of this account may use the calendar.', { account: sub });
    }
    const number = textOf(claims['employee_number']);
    const id = number && (await this.employees.find(number));
    if (id) return siteUser({ id });
    return virtualUser({ subject: sub, name: textOf(claims['name']) ?? sub, roles });
  }
}
