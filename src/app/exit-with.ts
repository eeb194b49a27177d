import { inspect } from 'node:util';
import { RestException } from '../common/errors/rest-exception.js';
import { EnvironmentError } from '../config/env.js';
import { StartError } from '../database/start-error.js';
import { onScreen } from '../lib/safe-text.js';
import { sourceLines } from '../observability/logging/error-text.js';

interface ListenError {
  code?: string;
  syscall?: string;
  address?: string;
  hostname?: string;
  port?: number;
}

/** Exits with 1 and prints an expected error as one sentence, others as a whole. */
export function exitWith(error: unknown): never {
  const isExpected = [EnvironmentError, StartError, RestException].some((kind) => error instanceof kind);
  console.error(
    isExpected
      ? onScreen((error as Error).message)
      : (listenErrorMessage(error as ListenError) ?? sourceLines(inspect(error))),
  );
  process.exit(1);
}

/** Why a server cannot listen; undefined for other errors. */
function listenErrorMessage({
  code,
  syscall = '',
  address,
  hostname,
  port,
}: ListenError): string | undefined {
  if (syscall === 'getaddrinfo') return `HOST names ${hostname}, which is not known.`;
  if (!/^(listen|bind)$/.test(syscall)) return undefined;
  switch (code) {
    case 'EADDRINUSE':
      return 'The port is taken by another program: choose one with PORT.';
    case 'EACCES':
      return `Port ${port} may not be used by this user: choose one above 1023 with PORT.`;
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
      return `HOST names ${address}, which is no address of this machine.`;
    default:
      return undefined;
  }
}
