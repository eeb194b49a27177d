import type { Environment } from '../../config/env.js';
import type { RenderSite, ThemeSupport } from '../formatting/render-context.js';
import { parseRoles, type Roles } from '../users/roles.js';
import { siteZone } from '../dates/zones.js';
import { type LinkSettings, linkSettings, uploadsUrl } from '../posts/permalink.js';
import { MEDIA_OPTIONS, type MediaSettings, mediaSettings } from '../media/media-settings.js';
import { asMap, type PhpArray, PhpFloat, type PhpValue, unserialize } from './php-serialize.js';

/** A site's settings as typed values, read from its options table. */
export interface SiteSettings {
  links: LinkSettings;
  render: RenderSite;
  /** `Europe/Berlin`, or `UTC+5.5` made from a manual offset. */
  zone: string;
  /** Records per page when a request does not say; already capped at 50. */
  perPage: number;
  /** The same default as stored, as the index shows it. */
  perPageOption: string;
  /** Calendar option: filter and sort by each event's own wall clock, or by the site's. */
  timezoneMode: 'event' | 'site';
  /** `HH:MM` as stored: when a calendar day ends. */
  dayCutoff: string;
  currency: { symbol?: string; code?: string; symbolAfter: boolean };
  /** Additional fields of events: declared names and labels. */
  customFields: readonly CustomField[];
  /** The calendar switched its REST interface off. */
  restDisabled: boolean;
  /** New events get the site's default comment status instead of `closed`. */
  showComments: boolean;
  defaultCommentStatus: string;
  roles: Roles;
  usingApplicationPasswords: boolean;
  /** Secrets stored as options (`logged_in_key` …). */
  storedSecrets: ReadonlyMap<string, string>;
  /** Pages that only those who manage options may edit. */
  frontPages: readonly number[];
  media: MediaSettings;
}

/** One additional field of events, as the calendar's option `custom-fields` declares it. */
export interface CustomField {
  /** Meta key such as `_ecp_custom_2`. */
  name: string;
  label: string;
  type: string;
}

const SECRET_OPTIONS = ['auth', 'secure_auth', 'logged_in', 'nonce'].flatMap((s) => [
  `${s}_key`,
  `${s}_salt`,
]);

/** Names of every option that is read. */
export function optionNames(prefix: string): string[] {
  return [
    'home',
    'siteurl',
    'permalink_structure',
    'tag_base',
    'timezone_string',
    'gmt_offset',
    'posts_per_page',
    'use_smilies',
    'WPLANG',
    'stylesheet',
    'template',
    'upload_url_path',
    'default_comment_status',
    'using_application_passwords',
    'page_on_front',
    'page_for_posts',
    'tribe_events_calendar_options',
    `${prefix}user_roles`,
    ...MEDIA_OPTIONS,
    ...SECRET_OPTIONS,
  ];
}

/** Reads typed settings from option rows; a missing or broken option takes WordPress's own default. */
export function readSettings(
  options: ReadonlyMap<string, string>,
  prefix: string,
  env: Pick<Environment, 'themeSupport'>,
): SiteSettings {
  const option = (name: string, fallback = '') => options.get(name) ?? fallback;
  const calendar = asMap(unserialize(option('tribe_events_calendar_options')));
  const locale = option('WPLANG') || 'en_US';
  // Each of the two addresses stands in for the other when it is missing.
  const links = linkSettings({
    home: option('home') || option('siteurl'),
    siteUrl: option('siteurl') || option('home'),
    permalinkStructure: option('permalink_structure'),
    tagBase: option('tag_base'),
    singleEventSlug: optionText(calendar, 'singleEventSlug'),
    eventsSlug: optionText(calendar, 'eventsSlug'),
    locale,
  });
  const media = mediaSettings(option);
  const perPageOption = filled(optionText(calendar, 'posts_per_page')) || option('posts_per_page');
  const perPage = Number.parseInt(perPageOption, 10);
  return {
    links,
    render: {
      home: links.home,
      siteUrl: links.siteUrl,
      uploadsUrl: option('upload_url_path').replace(/\/+$/, '') || uploadsUrl(links),
      useSmilies: phpTruthy(option('use_smilies', '1')),
      theme: env.themeSupport ?? themeOf(option('stylesheet')),
      locale,
      permalinkStructure: links.permalinkStructure,
      imageBoxes: media.boxes,
    },
    zone: siteZone({ timezoneString: option('timezone_string'), gmtOffset: option('gmt_offset') }),
    perPage: Math.min(50, perPage > 0 ? perPage : 20),
    perPageOption,
    timezoneMode: optionText(calendar, 'tribe_events_timezone_mode') === 'site' ? 'site' : 'event',
    dayCutoff: optionText(calendar, 'multiDayCutoff') || '00:00',
    currency: {
      symbol: calendar.has('defaultCurrencySymbol')
        ? optionText(calendar, 'defaultCurrencySymbol')
        : undefined,
      code: optionText(calendar, 'defaultCurrencyCode') || undefined,
      symbolAfter: truthy(calendar.get('reverseCurrencyPosition')),
    },
    customFields: customFields(calendar.get('custom-fields')),
    restDisabled: truthy(calendar.get('rest-v1-disabled')),
    showComments: truthy(calendar.get('showComments')),
    defaultCommentStatus: option('default_comment_status', 'open'),
    roles: parseRoles(option(`${prefix}user_roles`)),
    usingApplicationPasswords: phpTruthy(option('using_application_passwords')),
    storedSecrets: new Map(
      SECRET_OPTIONS.flatMap((name) => (options.has(name) ? [[name, option(name)]] : [])),
    ),
    frontPages: [option('page_on_front'), option('page_for_posts')].map(Number).filter((id) => id > 0),
    media,
  };
}

/** R9: only the core block themes are known by name. */
function themeOf(stylesheet: string): ThemeSupport {
  return /^twentytwenty(two|three|four|five)$/.test(stylesheet) ? 'block' : 'classic';
}

function optionText(options: PhpArray, key: string): string {
  const value = options.get(key);
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (value instanceof PhpFloat) return String(value.value);
  return value === true ? '1' : '';
}

function truthy(value: PhpValue | undefined): boolean {
  if (typeof value === 'string') return /^(1|enable|enabled|on|y|yes|true)$/i.test(value);
  return value === true || (typeof value === 'number' && value !== 0);
}

const phpTruthy = (text: string): boolean => text !== '' && text !== '0';

const filled = (text: string): string => (phpTruthy(text) ? text : '');

function customFields(value: PhpValue | undefined): CustomField[] {
  return [...asMap(value).values()].flatMap((entry) => {
    const field = asMap(entry);
    const name = optionText(field, 'name');
    return name ? [{ name, label: optionText(field, 'label'), type: optionText(field, 'type') }] : [];
  });
}
