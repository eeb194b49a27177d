const ESCAPED = /\\ud[89a-f]/i;
/** `JSON.stringify` escapes a lone surrogate but not a pair. */
const WRITTEN = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** Whether a JSON text escapes a lone surrogate, which PHP's parser rejects; `value` is the parsed JSON. */
export function hasLoneSurrogate(json: string, value: unknown): boolean {
  return ESCAPED.test(json) && WRITTEN.test(JSON.stringify(value));
}
