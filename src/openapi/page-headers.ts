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

/** Headers of a page: it may load its own files, this interface and images, nothing inline. */
export function builtPageHeaders(uploads: string, frameAncestors = "'none'"): Record<string, string> {
  const isPlain = uploads.startsWith('http://') && URL.canParse(uploads);
  return pageHeaders(
    {
      'script-src': "'self'",
      'style-src': "'self'",
      // WordPress serves the images of events.
      'img-src': `'self' https: data:${isPlain ? ` ${new URL(uploads).origin}` : ''}`,
      'connect-src': "'self'",
    },
    { 'form-action': "'self'", 'frame-ancestors': frameAncestors },
  );
}
