const PLAIN = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const ZERO = 48;

/** The digits of `YYYY-MM-DD HH:MM:SS` as one number, which compares as SQL compares the dates; NaN of another form. */
export function sortableDate(date: string): number {
  if (!PLAIN.test(date)) return Number.NaN;
  let number = 0;
  for (let at = 0; at < date.length; at++) {
    const digit = date.charCodeAt(at) - ZERO;
    if (digit >= 0 && digit <= 9) number = number * 10 + digit;
  }
  return number;
}
