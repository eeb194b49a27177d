/** What a page may load and do: its own files and this server's interface, images of the site, nothing inline. */
export function pagePolicy({ frameAncestors = "'none'" }: { frameAncestors?: string } = {}): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Images of events lie where WordPress serves them.
    "img-src 'self' https: data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');
}
