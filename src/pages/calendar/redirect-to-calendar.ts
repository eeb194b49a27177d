import type { NextFunction, Request, Response } from 'express';
import { calendarSettings } from '../../calendar/calendar-settings.js';
import { RestException } from '../../common/errors/rest-exception.js';
import { belowHome, isView } from '../../feeds/subscription-address.js';
import { parsePhpParameters } from '../../http/params/php-parameters.js';
import { isRest } from '../../http/rest-request.js';
import type { Pipeline } from '../../http/server/pipeline.service.js';
import { splitOnce } from '../../lib/wordpress-text/formatting/uri-parts.js';
import { EVENT } from '../../resources/events/event-type.js';
import type { SettingsService } from '../../wordpress/options/settings.service.js';
import type { CalendarPageService } from './calendar-page.service.js';

/** Redirects the site's URLs of the calendar and of public events to our page, if they have no route. */
export function redirectToCalendar(settings: SettingsService, calendar: CalendarPageService) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const [path, query] = splitOnce(request.originalUrl, '?');
    if (isRest(request) || !/^(GET|HEAD)$/.test(request.method)) return next();
    const site = calendarSettings(await settings.current());
    const [first, ...below] = belowHome(path, site);
    const rest = first === undefined ? plainEvent(query) : below;
    const isBelowCalendar = first === site.eventsSlug;
    const isBelowEvents = first === site.singleEventSlug || first === undefined;
    const isEvent = isBelowEvents && isEventPath(rest) && !(isBelowCalendar && isView(rest));
    if (!isEvent && !(isBelowCalendar && rest.length === 0)) return next();
    const search = await searchOf(calendar, rest);
    if (search === undefined) return next();
    // A relative redirect keeps a proxy's path.
    const root = '../'.repeat(path.split('/').length - 2) || './';
    response.set('Cache-Control', 'no-cache').redirect(302, `${root}calendar${search}`);
  };
}

/** Redirects plain URLs of events, `/?tribe_events=<slug>`, unless a plugin has a page at `/`. */
export function redirectPlainUrls(redirect: ReturnType<typeof redirectToCalendar>, pipeline: Pipeline) {
  return (request: Request, response: Response, next: NextFunction): unknown => {
    const isPlain = /^\/(?:index\.php\/?)?\?(?:.*&)?tribe_events=/i.test(request.url);
    const isOther = request.url.includes('rest_route=') || pipeline.hasOwnHome;
    return isPlain && !isOther ? redirect(request, response, next) : next();
  };
}

/** The segments of a pretty URL that plain parameters stand for. */
function plainEvent(query: string): string[] {
  const parameters = parsePhpParameters(query);
  const values = [EVENT.type, 'eventDate', 'eventSequence'].map((name) => parameters[name]);
  const end = values.findIndex((value) => typeof value !== 'string' || value === '');
  return values.slice(0, end < 0 ? undefined : end).map((value) => String(value).toLowerCase());
}

/** Whether segments are a slug, with `all` for all dates or with one of them. */
const isEventPath = ([slug, day = 'all', sequence = '1', ...more]: readonly string[]) =>
  slug !== undefined &&
  more.length === 0 &&
  /^[1-9]\d{0,3}$/.test(sequence) &&
  (/^\d{4}-\d\d-\d\d$/.test(day) || day === 'all');

/** The query of the page; undefined if there is none. */
async function searchOf(calendar: CalendarPageService, [slug, day, sequence]: readonly string[]) {
  try {
    const id = await calendar.shownBySlug(slug, day === 'all' ? undefined : day, sequence);
    return slug === undefined ? '' : id && `?event=${id}`;
  } catch (error) {
    if (error instanceof RestException && error.kind === 'not_found') return undefined;
    throw error;
  }
}
