import { Controller, Get } from '@nestjs/common';
import { forbidden } from '../common/errors/rest-exception.js';
import { CORE_NAMESPACE } from '../config/env.js';
import { Database } from '../database/database.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { readOptions } from '../wordpress/options/read-options.js';

/** The site's settings, for users who manage options. */
@Undocumented()
@Controller(`${CORE_NAMESPACE}/settings`)
export class SettingsController {
  constructor(private readonly database: Database) {}

  @Get()
  async get(@Context() { access, settings }: RequestContext) {
    if (!access.can('manage_options')) throw forbidden('You may not see the settings of this site.');
    return toSettingsResponse(await readOptions(this.database, SITE_OPTIONS), settings.render.locale);
  }
}

/** The options in `wp/v2/settings`. */
const SITE_OPTIONS = [
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
function toSettingsResponse(
  options: ReadonlyMap<string, string>,
  language: string,
): Record<string, string | number | boolean | null> {
  const text = (name: (typeof SITE_OPTIONS)[number], fallback = '') => options.get(name) ?? fallback;
  const number = (name: (typeof SITE_OPTIONS)[number], fallback = 0) =>
    Number.parseInt(text(name), 10) || fallback;
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
