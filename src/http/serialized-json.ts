import { hash } from 'node:crypto';

/** Serialized JSON in PHP's format, inserted into responses unchanged. */
export class SerializedJson {
  static readonly HASH_LENGTH = 28;
  readonly json: string;

  /** `knownHash`: its hash, if it was computed before. */
  constructor(
    json: string,
    private knownHash?: string,
  ) {
    // It is ASCII, but V8 may store two bytes per character, as before escaping.
    this.json = knownHash === undefined ? Buffer.from(json, 'latin1').toString('latin1') : json;
  }

  /** A new object of it, which its receiver may change. */
  parse<T>(): T {
    return JSON.parse(this.json);
  }

  /** Hash of the JSON, computed once and reused in ETags; it begins with a character that JSON never contains. */
  get hash(): string {
    this.knownHash ??= `\0${hash('sha1', this.json, 'base64url')}`;
    return this.knownHash;
  }
}
