import type { RestException } from './rest-exception.js';

/** The message of an exception, or what is wrong with each parameter, in one line. */
export function errorLine({ message, details }: RestException): string {
  const params = Object.values(details.data?.['params'] ?? {}).map(String);
  const isNames = message.startsWith('Missing');
  return params.length === 0 || isNames ? message : params.join(' ');
}
