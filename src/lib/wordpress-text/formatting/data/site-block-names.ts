/** The blocks that show other content of the site, or need a current post or query. */
export const SITE_BLOCKS: ReadonlySet<string> = new Set(
  [
    'archives avatar block calendar categories comment-template comments comments-title footnotes home-link',
    'latest-comments latest-posts legacy-widget navigation page-list pattern post-author post-author-biography',
    'post-author-name post-comments-form post-content post-date post-excerpt post-featured-image post-navigation-link',
    'post-template post-terms post-time-to-read post-title query query-no-results query-pagination query-title',
    'read-more rss site-logo site-tagline site-title tag-cloud template-part term-description',
  ].flatMap((names) => names.split(' ').map((name) => `core/${name}`)),
);
