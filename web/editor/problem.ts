import { AlmanacError } from 'almanac-client';
import { TEXTS } from './catalogue.js';

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

const T = TEXTS.frame;

const WORDS: Readonly<Record<string, string>> = {
  rest_cookie_invalid_nonce: T.sessionEnded,
  read_only: T.nothingChanges,
  write_unconfirmed: T.unconfirmed,
  write_not_shown: T.savedUnseen,
  rest_content_too_large: T.tooLong,
  application_passwords_disabled: T.httpsOnly,
};

const STATUSES: Readonly<Record<number, string>> = {
  401: T.status401,
  404: T.status404,
  410: T.status410,
  412: T.status412,
  429: T.status429,
  500: T.status500,
  502: T.status502,
  503: T.status503,
  504: T.status504,
};

/** What to tell of anything that was thrown; `isNew`: when something was to be made, which twice would be one too many. */
export function problemOf(error: unknown, isNew = false): Problem {
  if (!(error instanceof AlmanacError)) return { message: isNew ? T.lost : T.unreachable, fields: {} };
  const { code, status, message, params } = error;
  const faults = Object.entries(params).map(([name, text]) => ({ name, ...faultIn(name, text) }));
  const fields = Object.fromEntries(faults.map(({ name, said }) => [name, said]));
  const paths = Object.fromEntries(faults.flatMap(({ name, path }) => (path ? [[name, path]] : [])));
  if (faults.length > 0) return { message: TEXTS.form.someFaults, fields, paths };
  return {
    message: WORDS[code] ?? (status === 403 ? message : STATUSES[status]) ?? message,
    fields,
    isSignedOut: status === 401 || code === 'rest_cookie_invalid_nonce',
  };
}

/** The same in one sentence: of several faults the first. */
export function messageOf(error: unknown): string {
  const { message, fields } = problemOf(error);
  return Object.values(fields)[0] ?? message;
}

/** The server's messages begin with the name of their parameter, or a path inside it, which are no words on this page. */
function faultIn(name: string, text: string): { said: string; path?: string } {
  const inside = `${name} holds data that are not valid: ${name}.`;
  const [, path, fault] = (text.startsWith(inside) && /^(\S+) (.*)$/s.exec(text.slice(inside.length))) || [];
  const rest = fault ?? (text.startsWith(`${name} `) ? text.slice(name.length + 1) : text);
  return { said: rest.charAt(0).toUpperCase() + rest.slice(1), path };
}
