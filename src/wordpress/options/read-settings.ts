import type { Environment } from '../../config/env.js';
import { siteZone } from '../../lib/wordpress-text/dates/zones.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { MEDIA_OPTIONS, mediaSettings } from '../media/media-settings.js';
import { type LinkSettings, trimSlash, uploadsUrl } from '../posts/permalink.js';
import type { ContentTypes } from '../types/content-types.js';
import { parseRoles } from '../users/capabilities.js';
import type { SiteSettings } from './site-settings.js';

const SECRETS = ['auth', 'secure_auth', 'logged_in', 'nonce'].flatMap((s) => [`${s}_key`, `${s}_salt`]);

/** R9: only the core block themes are known by name. */
const BLOCK_THEMES = /^twentytwenty(two|three|four|five)$/;

const OPTIONS = (
  'home siteurl blogname blogdescription permalink_structure tag_base timezone_string gmt_offset ' +
  'start_of_week time_format posts_per_page use_smilies WPLANG stylesheet template upload_url_path ' +
  'default_comment_status using_application_passwords page_on_front page_for_posts blog_public'
).split(' ');

/** Names of every option that is read; `registered` are those of modules (`ContentTypes.options`). */
export function optionNames(prefix: string, registered: Iterable<string>): string[] {
  return [...OPTIONS, `${prefix}user_roles`, ...MEDIA_OPTIONS, ...SECRETS, ...registered];
}

/** Reads typed settings from option rows; a missing or broken option takes WordPress's own default. */
export function readSettings(
  options: ReadonlyMap<string, string>,
  prefix: string,
  env: Pick<Environment, 'themeSupport'> & Partial<Pick<Environment, 'uploadsS3PublicUrl'>>,
  types: ContentTypes,
): SiteSettings {
  const option = (name: string, fallback = '') => options.get(name) ?? fallback;
  const locale = option('WPLANG') || 'en_US';
  const bases = new Map<string, string>();
  // Each of the two addresses stands in for the other when it is missing.
  const links: LinkSettings = {
    home: trimSlash(option('home') || option('siteurl')),
    siteUrl: trimSlash(option('siteurl') || option('home')),
    permalinkStructure: option('permalink_structure'),
    bases,
    publicStatuses: new Set(
      [...types.statuses].flatMap(([name, status]) => (status.public && !status.plainLinks ? [name] : [])),
    ),
  };
  const media = mediaSettings(option);
  const settings: SiteSettings = {
    options,
    links,
    render: {
      home: links.home,
      siteUrl: links.siteUrl,
      uploadsUrl: env.uploadsS3PublicUrl ?? siteUploadsUrl({ options, links }),
      useSmilies: !isPhpEmpty(option('use_smilies', '1')),
      theme: env.themeSupport ?? (BLOCK_THEMES.test(option('stylesheet')) ? 'block' : 'classic'),
      locale,
      permalinkStructure: links.permalinkStructure,
      imageBoxes: media.boxes,
    },
    zone: siteZone({ timezoneString: option('timezone_string'), gmtOffset: option('gmt_offset') }),
    defaultCommentStatus: option('default_comment_status', 'open'),
    roles: parseRoles(option(`${prefix}user_roles`)),
    usingApplicationPasswords: !isPhpEmpty(option('using_application_passwords')),
    frontPages: [option('page_on_front'), option('page_for_posts')].map(Number).filter((id) => id > 0),
    media,
  };
  for (const { type, linkBase = type } of types.postTypes.values())
    bases.set(type, typeof linkBase === 'string' ? linkBase : linkBase(settings));
  return settings;
}

/** The site's own base URL of uploads, by its settings. */
export function siteUploadsUrl({ options, links }: Pick<SiteSettings, 'options' | 'links'>): string {
  return trimSlash(options.get('upload_url_path') ?? '') || uploadsUrl(links);
}
