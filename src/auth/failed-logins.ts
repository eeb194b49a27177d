import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { quotedText } from '../lib/safe-text.js';
import { LogEntry } from '../observability/logging/log.js';
import { AuthError } from './auth-error.js';

/** The maximum length of a login name in the log. */
const MAX_LOGGED_LOGIN_LENGTH = 60;

/** The rate limit key of an address: its /64 network for IPv6, as one machine may use all of it. */
export function networkOf(address: string): string {
  // Without the zone (`%eth0`).
  const [bare = ''] = address.split('%');
  const parsed = isIP(bare) === 6 ? ipaddr.process(bare) : undefined;
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : address;
}

/** The log line for fail2ban (docs/operating.md#failed-logins): the address precedes anything chosen by the client. */
export function rejection(
  outcome: 'failed' | 'locked out' | 'rejected',
  address: string,
  login: string,
  reason?: { strategy: string; code: string },
): LogEntry {
  const from = isIP(address) === 0 ? 'unknown' : address;
  const name = quotedText(login, MAX_LOGGED_LOGIN_LENGTH);
  const why = reason === undefined ? '' : ` by ${reason.strategy}: ${reason.code}`;
  return new LogEntry(`Login ${outcome} from ${from} as ${name}${why}`, {
    event: `login_${outcome.replace(' ', '_')}`,
    address: from,
    login: name.slice(1, -1),
    ...reason,
  });
}

/** The response to an attempt that `RATE_LIMIT` rejects. */
export function tooManyAttempts(seconds: number): AuthError {
  const message = `Too many failed sign-ins. Try again in ${seconds} seconds.`;
  return new AuthError(429, 'too_many_attempts', message, { 'Retry-After': String(seconds) });
}
