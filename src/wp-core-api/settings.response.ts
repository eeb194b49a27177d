/** The options in `wp/v2/settings`. */
export const SITE_OPTIONS = [
  'blogname',
  'blogdescription',
  'siteurl',
  'admin_email',
  'timezone_string',
  'date_format',
  'time_format',
  'start_of_week',
  'use_smilies',
  'default_category',
  'default_post_format',
  'posts_per_page',
  'show_on_front',
  'page_on_front',
  'page_for_posts',
  'default_ping_status',
  'default_comment_status',
  'site_logo',
  'site_icon',
] as const;

/** Makes the JSON of the settings with WordPress's defaults for missing options (docs/behaviour/core-routes.md#settings). */
export function toSettingsResponse(
  options: ReadonlyMap<string, string>,
  language: string,
): Record<string, string | number | boolean | null> {
  const text = (name: (typeof SITE_OPTIONS)[number], standing = '') => options.get(name) ?? standing;
  const number = (name: (typeof SITE_OPTIONS)[number], standing = 0) =>
    Number.parseInt(text(name), 10) || standing;
  return {
    title: text('blogname'),
    description: text('blogdescription'),
    url: text('siteurl'),
    email: text('admin_email'),
    timezone: text('timezone_string'),
    date_format: text('date_format'),
    time_format: text('time_format'),
    start_of_week: number('start_of_week'),
    language,
    use_smilies: number('use_smilies', options.has('use_smilies') ? 0 : 1) !== 0,
    default_category: number('default_category'),
    default_post_format: text('default_post_format', '0'),
    posts_per_page: number('posts_per_page', 10),
    show_on_front: text('show_on_front', 'posts'),
    page_on_front: number('page_on_front'),
    page_for_posts: number('page_for_posts'),
    default_ping_status: text('default_ping_status', 'open'),
    default_comment_status: text('default_comment_status', 'open'),
    site_logo: number('site_logo') || null,
    site_icon: number('site_icon'),
  };
}
