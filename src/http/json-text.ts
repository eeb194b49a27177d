/** JSON that is written already, as PHP writes it; it goes into an answer as it is. */
export class JsonText {
  readonly json: string;

  constructor(json: string) {
    // All of it is ASCII, but V8 keeps two bytes for each character where some were wider before they were escaped.
    this.json = Buffer.from(json, 'latin1').toString('latin1');
  }
}
