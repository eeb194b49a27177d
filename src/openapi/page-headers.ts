/**
 * Headers of a page for people. It loads and does what is said here and nothing else, by the directives of its policy, and is not
 * taken for another type of file.
 */
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
