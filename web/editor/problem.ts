import { AlmanacError } from 'almanac-client';

/** Why something did not work, in words, and at which fields. */
export interface Problem {
  message: string;
  /** What is wrong with which field, by its name in the interface. */
  fields: Readonly<Record<string, string>>;
  /** Where inside these fields it is wrong: `street`, `0.name`. */
  paths?: Readonly<Record<string, string>>;
  /** Whether signing in again may help. */
  isSignedOut?: boolean;
}

const WORDS: Readonly<Record<string, string>> = {
  rest_cookie_invalid_nonce: 'Your sign-in has ended. Sign in again.',
  read_only: 'This server is read-only at the moment: nothing can be changed.',
  write_unconfirmed: 'The server did not say whether this was saved. Look at the list before you save again.',
  write_not_shown: 'It was saved, but the server could not show it. Look at the list.',
  rest_content_too_large: 'This is too long for the server.',
  application_passwords_disabled:
    'The server takes passwords over HTTPS only. Open this page with https:// in front.',
};

const STATUSES: Readonly<Record<number, string>> = {
  401: 'Your sign-in is not accepted any more. Sign in again.',
  404: 'This is not there any more.',
  410: 'This is in the trash already.',
  412: 'Somebody else has saved this meanwhile, so nothing was changed.',
  429: 'Too many attempts. Wait a few minutes, then try again.',
  500: 'The server failed. Its log says more; try again later.',
  502: 'The server cannot be reached at the moment. Try again later.',
  503: 'The server is busy or its database is away. Nothing was saved; try again in a moment.',
  504: 'The server took too long. Look at the list before you save again.',
};

const LOST = 'The server cannot be reached. Check the connection and try again.';
const LOST_NEW =
  'The connection was lost, and this may have been saved. Look at the list before you save again.';

/** What to tell of anything that was thrown; `isNew`: when something was to be made, which twice would be one too many. */
export function problemOf(error: unknown, isNew = false): Problem {
  if (!(error instanceof AlmanacError)) return { message: isNew ? LOST_NEW : LOST, fields: {} };
  const { code, status, message, params } = error;
  const faults = Object.entries(params).map(([name, text]) => ({ name, ...faultIn(name, text) }));
  const fields = Object.fromEntries(faults.map(({ name, said }) => [name, said]));
  const paths = Object.fromEntries(faults.flatMap(({ name, path }) => (path ? [[name, path]] : [])));
  if (faults.length > 0) return { message: 'Some fields need another look.', fields, paths };
  return {
    message: WORDS[code] ?? (status === 403 ? message : STATUSES[status]) ?? message,
    fields,
    isSignedOut: status === 401 || code === 'rest_cookie_invalid_nonce',
  };
}

/** The server's messages begin with the name of their parameter, or a path inside it, which are no words on this page. */
function faultIn(name: string, text: string): { said: string; path?: string } {
  const inside = `${name} holds data that are not valid: ${name}.`;
  const [, path, fault] = (text.startsWith(inside) && /^(\S+) (.*)$/s.exec(text.slice(inside.length))) || [];
  const rest = fault ?? (text.startsWith(`${name} `) ? text.slice(name.length + 1) : text);
  return { said: rest.charAt(0).toUpperCase() + rest.slice(1), path };
}
