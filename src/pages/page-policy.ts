/** What pages differ in. */
interface PagePolicy {
  frameAncestors?: string;
  /** Address below which the site shows its uploads, which may lie on another host. */
  uploads: string;
}

/** What a page may load and do: its own files and this server's interface, images of the site, nothing inline. */
export function pagePolicy({ frameAncestors = "'none'", uploads }: PagePolicy): string {
  const isPlain = uploads.startsWith('http://') && URL.canParse(uploads);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Images of events lie where WordPress serves them.
    `img-src 'self' https: data:${isPlain ? ` ${new URL(uploads).origin}` : ''}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');
}
