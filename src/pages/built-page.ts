import { pageHeaders } from '../openapi/page-headers.js';

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
