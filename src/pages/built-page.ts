import { pageHeaders } from '../openapi/page-headers.js';

/** Headers of a page that is built here: it has its own files and this server's interface, images of the site, nothing inline. */
export function builtPageHeaders(uploads: string, frameAncestors = "'none'"): Record<string, string> {
  const isPlain = uploads.startsWith('http://') && URL.canParse(uploads);
  return pageHeaders(
    {
      'script-src': "'self'",
      'style-src': "'self'",
      // Images of events lie where WordPress serves them.
      'img-src': `'self' https: data:${isPlain ? ` ${new URL(uploads).origin}` : ''}`,
      'connect-src': "'self'",
    },
    { 'form-action': "'self'", 'frame-ancestors': frameAncestors },
  );
}
