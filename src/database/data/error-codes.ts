const codes = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * The database is temporarily unavailable; also out of file descriptors (`EMFILE`), and a cluster node that is not ready or
 * lost the others during its commit (`ER_UNKNOWN_COM_ERROR`, `ER_ERROR_DURING_COMMIT`).
 */
export const UNAVAILABLE = codes(`
  ECONNREFUSED ECONNRESET EPIPE EMFILE ENFILE ETIMEDOUT ENOTFOUND EAI_AGAIN
  PROTOCOL_CONNECTION_LOST PROTOCOL_SEQUENCE_TIMEOUT POOL_CLOSED SESSION_REFUSED
  ER_CON_COUNT_ERROR ER_TOO_MANY_USER_CONNECTIONS ER_SERVER_SHUTDOWN ER_SERVER_GONE_ERROR ER_CONNECTION_KILLED
  ER_QUERY_INTERRUPTED ER_QUERY_TIMEOUT ER_LOCK_WAIT_TIMEOUT ER_LOCK_DEADLOCK
  ER_UNKNOWN_COM_ERROR ER_ERROR_DURING_COMMIT ER_TRANSACTION_ROLLBACK_DURING_COMMIT
  ER_LOCK_TABLE_FULL ER_TOO_MANY_CONCURRENT_TRXS ER_DISK_FULL ER_ERROR_ON_WRITE ER_RECORD_FILE_FULL
  ER_OUTOFMEMORY ER_OUT_OF_RESOURCES
  SQLITE_BUSY SQLITE_LOCKED SQLITE_FULL SQLITE_IOERR
`);

/** The user or the server is read-only. */
export const READ_ONLY = codes(`
  ER_DBACCESS_DENIED_ERROR ER_TABLEACCESS_DENIED_ERROR ER_COLUMNACCESS_DENIED_ERROR
  ER_OPTION_PREVENTS_STATEMENT ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION ER_OPEN_AS_READONLY ER_READ_ONLY_MODE
  ER_INNODB_READ_ONLY SQLITE_READONLY
`);

/**
 * Conflicts with another transaction: a retry may succeed. In Group Replication another node's transaction was certified
 * first (`ER_TRANSACTION_ROLLBACK_DURING_COMMIT`).
 */
export const RETRYABLE = codes(`
  ER_LOCK_DEADLOCK ER_LOCK_WAIT_TIMEOUT ER_CHECKREAD ER_UNKNOWN_COM_ERROR ER_TRANSACTION_ROLLBACK_DURING_COMMIT
  SQLITE_BUSY SQLITE_LOCKED
`);

/** A deadlock that the storage engine reports during the commit, with a generic code. */
export const DEADLOCK_DURING_COMMIT = /^Got error 149\b/;

export const TOO_LARGE = codes('ER_NET_PACKET_TOO_LARGE SQLITE_TOOBIG');

/** Warnings about a value changed to fit its column: out of range, truncated, invalid characters, too long. */
export const TRUNCATED: ReadonlySet<number> = new Set([1264, 1265, 1300, 1366, 1406, 1977]);

/**
 * A text has characters outside of a column's character set; on MySQL 8 where it converts a constant to it
 * (`ER_CANNOT_CONVERT_STRING`).
 */
export const OUTSIDE_CHARSET = codes(`
  ER_CANT_AGGREGATE_2COLLATIONS ER_CANT_AGGREGATE_3COLLATIONS ER_CANT_AGGREGATE_NCOLLATIONS ER_CANNOT_CONVERT_STRING
`);

/** Messages for a failed first connection; `%s` is the address of the database. */
export const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at %s.',
  ENOTFOUND: 'the host of %s is not known.',
  EAI_AGAIN: 'the host of %s is not known.',
  ETIMEDOUT: '%s does not answer.',
  ER_ACCESS_DENIED_ERROR:
    '%s refuses this user and password, or takes them from another host only (name@localhost is not name@127.0.0.1).',
  ER_DBACCESS_DENIED_ERROR: '%s gives this user no right to that database: GRANT it, or mend its name.',
  ER_BAD_DB_ERROR: '%s has no database of that name.',
  ENOENT: 'there is no socket %s.',
  HANDSHAKE_NO_SSL_SUPPORT: '%s speaks no TLS: take ssl out of the address, or switch TLS on at the server.',
};

/** Those that may succeed a moment later. */
export const MAY_RECOVER: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOENT']);

/** Messages for rejected certificates, matched by OpenSSL's text. */
export const UNTRUSTED: readonly [words: RegExp, message: string][] = [
  [/expired/, 'the certificate of %s has expired.'],
  [/altnames/, 'the certificate of %s is for another host: write the name that it is for into the address.'],
  [
    /certificate/,
    'the certificate of %s is not signed by a known authority: name its CA file (ssl=/path/ca.pem), or take any certificate (ssl=no-verify).',
  ],
];
