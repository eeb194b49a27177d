/** Headers of a page for people; its policy forbids all but these directives. */
export function pageHeaders(
  loads: Readonly<Record<string, string>>,
  does: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const policy = {
    'default-src': "'none'",
    ...loads,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...does,
  };
  return {
    'Content-Security-Policy': Object.entries(policy)
      .map((directive) => directive.join(' '))
      .join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
}
