/** PHP's idea of empty: nothing, "", "0", 0, false, an empty list or map. */
export function isPhpEmpty(value: unknown): boolean {
  if (
    value === undefined ||
    value === null ||
    value === '' ||
    value === '0' ||
    value === 0 ||
    value === false
  )
    return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
