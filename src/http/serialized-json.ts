import { hash } from 'node:crypto';

/** JSON that is written already, as PHP writes it; it goes into an answer as it is. */
export class SerializedJson {
  /** The length of a mark. */
  static readonly HASH_LENGTH = 28;
  readonly json: string;

  /** `known`: its mark, of one that was written before. */
  constructor(
    json: string,
    private knownHash?: string,
  ) {
    // All of it is ASCII, but V8 keeps two bytes for each character where some were wider before they were escaped.
    this.json = knownHash === undefined ? Buffer.from(json, 'latin1').toString('latin1') : json;
  }

  /** A new object of it, which its receiver may change. */
  parse<T>(): T {
    return JSON.parse(this.json);
  }

  /** What stands for it in the hashes of all answers that it goes into: it is looked through once. JSON has no character 0. */
  get hash(): string {
    this.knownHash ??= `\0${hash('sha1', this.json, 'base64url')}`;
    return this.knownHash;
  }
}
