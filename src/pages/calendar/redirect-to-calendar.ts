import type { NextFunction, Request, Response } from 'express';
import { calendarSettings } from '../../calendar/calendar-settings.js';
import { RestException } from '../../common/errors/rest-exception.js';
import { belowHome, isView } from '../../feeds/subscription-address.js';
import { isRest } from '../../http/rest-request.js';
import { splitOnce } from '../../lib/wordpress-text/formatting/uri-parts.js';
import type { SettingsService } from '../../wordpress/options/settings.service.js';
import type { CalendarPageService } from './calendar-page.service.js';

/** Redirects the site's URLs of the calendar and of public events to our page, if they have no route. */
export function redirectToCalendar(settings: SettingsService, calendar: CalendarPageService) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const [path] = splitOnce(request.originalUrl, '?');
    if (isRest(request) || !/^(GET|HEAD)$/.test(request.method)) return next();
    const site = calendarSettings(await settings.current());
    const [first, ...rest] = belowHome(path, site);
    const isBelowCalendar = first === site.eventsSlug;
    const isEvent = first === site.singleEventSlug && isEventPath(rest) && !(isBelowCalendar && isView(rest));
    if (!isEvent && !(isBelowCalendar && rest.length === 0)) return next();
    const search = await searchOf(calendar, rest);
    if (search === undefined) return next();
    // A relative redirect keeps a proxy's path.
    const root = '../'.repeat(path.split('/').length - 2) || './';
    response.set('Cache-Control', 'no-cache').redirect(302, `${root}calendar${search}`);
  };
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
