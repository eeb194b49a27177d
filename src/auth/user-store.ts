/** A user's row with the meta that signing in reads. */
export interface StoredUser {
  id: number;
  login: string;
  email: string;
  displayName: string;
  /** `user_pass`. */
  passHash: string;
  /** `_application_passwords`, `session_tokens` and `{prefix}capabilities`, as stored; absent keys are missing. */
  meta: ReadonlyMap<string, string>;
}

/** What signing in needs of the users' tables. */
export abstract class UserStore {
  /** By `user_login`, compared as the database does (without case). */
  abstract findByLogin(login: string): Promise<StoredUser | null>;
  /** By `user_email`, compared as the database does. */
  abstract findByEmail(email: string): Promise<StoredUser | null>;
  /** Whether any user has the meta `_application_passwords`. */
  abstract hasApplicationPasswords(): Promise<boolean>;
  /** Replaces a meta value only while it still is `previous`, so that a revocation in between is not undone. */
  abstract saveMeta(userId: number, key: string, value: string, previous: string): Promise<void>;
}
