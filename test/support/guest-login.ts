import { Injectable, Module } from '@nestjs/common';
import { AuthStrategy, type LoginRequest, virtualUser } from 'almanac';

/** Signs in virtual users by `X-Guest: <subject>`, with the roles in `X-Guest-Roles`. */
@Injectable()
class GuestStrategy extends AuthStrategy {
  override readonly name = 'guest';
  override readonly headers = ['x-guest', 'x-guest-roles'];
  override readonly scheme = { type: 'apiKey', in: 'header', name: 'X-Guest' } as const;

  override authenticate(request: LoginRequest) {
    const subject = request.header('x-guest');
    const roles = request.header('x-guest-roles')?.split(',') ?? [];
    return subject === undefined ? undefined : virtualUser({ subject, roles });
  }
}

/** A plugin whose users are not those of the site; all of them have the id 0. */
@Module({ providers: [GuestStrategy], exports: [GuestStrategy] })
export class GuestModule {}

/** The headers of a virtual user. */
export const guest = (subject: string, ...roles: string[]) => ({
  'X-Guest': subject,
  'X-Guest-Roles': roles.join(','),
});
