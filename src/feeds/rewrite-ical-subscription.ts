import type { NextFunction, Request, Response } from 'express';
import { calendarSettings } from '../calendar/calendar-settings.js';
import type { Environment } from '../config/env.js';
import { splitOnce } from '../lib/wordpress-text/formatting/uri-parts.js';
import type { SettingsService } from '../wordpress/options/settings.service.js';
import {
  asksForFile,
  mayAskForFeed,
  pluginFeedAddress,
  subscriptionAddress,
} from './subscription-address.js';

/** Rewrites the plugin's URLs of calendar files and feeds to ours, so that subscriptions survive a migration. */
export function rewriteIcalSubscription(
  { apiNamespaces, pathPrefix }: Environment,
  settings: SettingsService,
) {
  return async (request: Request, _response: Response, next: NextFunction): Promise<void> => {
    const [path, query] = splitOnce(request.url, '?');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const addressOf = asksForFile(query)
      ? subscriptionAddress
      : mayAskForFeed(path, query)
        ? pluginFeedAddress
        : undefined;
    if (!isRead || !addressOf || query.includes('rest_route=')) return next();
    const address = addressOf(path, query, calendarSettings(await settings.current()));
    if (address !== undefined) request.url = `${pathPrefix}/${apiNamespaces[0]}${address}`;
    next();
  };
}
