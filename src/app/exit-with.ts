import { inspect } from 'node:util';
import { RestException } from '../common/errors/rest-exception.js';
import { EnvironmentError } from '../config/env.js';
import { StartError } from '../database/start-error.js';
import { onScreen } from '../lib/safe-text.js';
import { sourceLines } from '../observability/logging/source-lines.js';

interface ListenError {
  code?: string;
  syscall?: string;
  address?: string;
  hostname?: string;
  port?: number;
}

/** Ends the process with 1: in one sentence where whoever started it can mend what is wrong, else with the whole error. */
export function exitWith(error: unknown): never {
  const isExpected = [EnvironmentError, StartError, RestException].some((kind) => error instanceof kind);
  console.error(
    isExpected
      ? onScreen((error as Error).message)
      : (whyNotListening(error as ListenError) ?? sourceLines(inspect(error))),
  );
  process.exit(1);
}

/** Why a server can not listen; undefined where something else is wrong. */
function whyNotListening({ code, syscall = '', address, hostname, port }: ListenError): string | undefined {
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
