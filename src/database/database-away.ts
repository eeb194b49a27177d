const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'ER_CON_COUNT_ERROR',
  'ER_SERVER_SHUTDOWN',
  'ER_SERVER_GONE_ERROR',
  'ER_CONNECTION_KILLED',
  'ER_QUERY_INTERRUPTED',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'POOL_CLOSED',
  'SQLITE_BUSY',
  'SQLITE_IOERR',
]);

/** Whether an error says that the database can not be asked right now, and that asking again later may help. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message, driverError } = (error ?? {}) as {
    code?: string;
    message?: string;
    driverError?: unknown;
  };
  if (code !== undefined && AWAY.has(code)) return true;
  if (/closed state|Connection lost|Pool is closed|Queue limit reached/i.test(message ?? '')) return true;
  return driverError !== undefined && driverError !== error && isDatabaseAway(driverError);
}
