const ESCAPED = /\\ud[89a-f]/i;
/** `JSON.stringify` writes half of a pair as an escape, and a whole one as it is. */
const WRITTEN = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** Whether a JSON text holds an escape of half a character, which PHP refuses to read; `value`: what was read of it. */
export function hasLoneSurrogate(json: string, value: unknown): boolean {
  return ESCAPED.test(json) && WRITTEN.test(JSON.stringify(value));
}
