import type { Environment } from '../../config/env.js';

const HIDDEN = '***';
/** Shorter secrets are not redacted, as they could be ordinary words. */
const MIN_LENGTH = 6;

// Each pattern starts with a fixed word or is bounded, so that matching is linear.
const PATTERNS: readonly [RegExp, string][] = [
  // mysql://user:password@host
  [/:\/\/([^\s:@/]{0,200}):[^\s@/]{1,500}@/g, `://$1:${HIDDEN}@`],
  // API keys and JSON Web Tokens.
  [/\b(almk_[0-9a-f]{16}_)[\w-]{43}/g, `$1${HIDDEN}`],
  [/(?<![\w-])eyJ[\w-]{4,8000}\.[\w-]{1,8000}\.[\w-]*/g, HIDDEN],
  [/\b(Basic|Bearer)\s{1,5}[\w+/=.~-]{4,}/gi, `$1 ${HIDDEN}`],
  // A header or a JSON member, up to the end of the line or value.
  [
    /\b((?:proxy-)?authorization|(?:set-)?cookie|x-wp-nonce)("?\s{0,5}[:=]\s{0,5})("[^"\n]*"|[^\n"}]+)/gi,
    `$1$2"${HIDDEN}"`,
  ],
  [/\b(wordpress_\w{1,100}=)[^\s;"]+/g, `$1${HIDDEN}`],
  [
    /\b(pass(?:word|wd)?|user_pass|secret|token|_wpnonce|api_?key)("?\s{0,5}[:=]\s{0,5})("[^"\n]*"|'[^'\n]*'|[^\s,;&"'})]+)/gi,
    `$1$2${HIDDEN}`,
  ],
];

/** Masks passwords, cookies, tokens and the given secrets in a text. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, HIDDEN);
  for (const [pattern, instead] of PATTERNS) clean = clean.replace(pattern, instead);
  return clean;
}

export function secretsOf({ database, replicaUrls, redisUrl, secrets }: Environment): string[] {
  const servers = [database, ...replicaUrls].flatMap((one) => (one.kind === 'mysql' ? [one.password] : []));
  const redis = redisUrl === undefined ? '' : decodeURIComponent(new URL(redisUrl).password);
  return [...servers, redis, ...Object.values(secrets)].filter((one) => one.length >= MIN_LENGTH);
}
