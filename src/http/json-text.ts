/** JSON that is written already, as PHP writes it; it goes into an answer as it is. */
export class JsonText {
  constructor(readonly json: string) {}
}
