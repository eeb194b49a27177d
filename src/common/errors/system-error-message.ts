const MESSAGES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EADDRINUSE: 'another program listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
  EAFNOSUPPORT: 'this machine has no such address',
  ENOTFOUND: 'that name is not known',
  EAI_AGAIN: 'that name is not known',
  ENOENT: 'there is no such file or folder',
  EEXIST: 'a file of that name is in the way',
  ENOTDIR: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
  ELOOP: 'links lead round in circles',
};

/** A readable message of a system error by its code, else its own message; without a full stop. */
export function systemErrorMessage(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return MESSAGES[code] ?? message;
}
