import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { calendarSettings } from '../calendar/calendar-settings.js';
import { OWN_NAMESPACE } from '../config/env.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { FEEDS_BASE, restOf } from './rest-request.js';

const UNKNOWN_PATH = '/unknown';

/**
 * Hides all routes while the calendar's settings disable the interface (docs/behaviour/parameters.md#routes).
 */
@Injectable()
export class RestDisabledMiddleware implements NestMiddleware {
  constructor(private readonly settings: SettingsService) {}

  async use(request: Request, _response: Response, next: NextFunction): Promise<void> {
    const rest = restOf(request);
    const isOwn = rest?.routeBase === OWN_NAMESPACE || rest?.routeBase === FEEDS_BASE;
    if (isOwn && calendarSettings(await this.settings.current()).restDisabled) {
      rest.path = UNKNOWN_PATH;
      request.url = `/${OWN_NAMESPACE}${UNKNOWN_PATH}`;
    }
    next();
  }
}
