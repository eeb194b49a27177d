import { basename } from 'node:path';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { currentCaller, runInBackground } from '../../common/context/abort.js';
import { RestException } from '../../common/errors/rest-exception.js';
import { Environment } from '../../config/env.js';
import { noRoute } from '../../http/errors/error-response.js';
import { ResponseCache } from '../../http/response-cache/response-cache.service.js';
import { inUtf8, SerializedResponse } from '../../http/serialized-response.js';
import { StaticFiles } from '../../http/server/static-files.service.js';
import { Undocumented } from '../../http/undocumented.decorator.js';
import { splitOnce } from '../../lib/wordpress-text/formatting/uri-parts.js';
import { builtPageHeaders } from '../../openapi/page-headers.js';
import { SettingsService } from '../../wordpress/options/settings.service.js';
import { PageAssets } from '../page-assets.js';
import { CalendarPageService } from './calendar-page.service.js';
import { type CalendarQuery, InvalidCalendarUrl, readCalendarQuery } from './calendar-query.js';

@Undocumented()
@Controller('calendar')
export class CalendarPageController {
  constructor(
    private readonly env: Environment,
    private readonly settings: SettingsService,
    private readonly calendar: CalendarPageService,
    private readonly cache: ResponseCache,
    private readonly assets: PageAssets,
    private readonly files: StaticFiles,
  ) {}

  @Get()
  async page(@Req() request: Request, @Res() response: Response) {
    const root = request.path.endsWith('/') ? '../' : './';
    const [, search] = splitOnce(request.originalUrl, '?');
    let query: CalendarQuery = {
      filters: {},
      page: 1,
      embed: new URLSearchParams(search).get('embed') === '1',
    };
    const { render } = await this.settings.current();
    response
      .set({
        ...builtPageHeaders(render.uploadsUrl, this.framedBy(query.embed)),
        'Referrer-Policy': 'strict-origin-when-cross-origin',
        'Cache-Control': 'no-cache',
      })
      .type('html');
    try {
      query = readCalendarQuery(search);
      await this.send(query, root, request, response);
    } catch (thrown) {
      const error = thrown instanceof InvalidCalendarUrl ? invalid(thrown) : thrown;
      if (!(error instanceof RestException) || !['invalid', 'not_found'].includes(error.kind)) throw error;
      response.status(error.getStatus()).send((await this.calendar.errorPage(query, root, error)).text);
    }
  }

  /** The script for pages that frame the calendar, under a name that stays. */
  @Get('embed.js')
  async embedScript(@Req() request: Request, @Res() response: Response) {
    const path = this.assets.pathOf(basename(this.assets.address('embed.js') ?? ''));
    if (path === undefined) throw noRoute();
    response.set('X-Content-Type-Options', 'nosniff').type('js');
    await this.files.send(path, request, response, 'public, max-age=3600');
  }

  /** Sends the page, which is cached until its data change. */
  private async send(query: CalendarQuery, root: string, request: Request, response: Response) {
    const make = () => this.calendar.page(query, root);
    const headers = { 'Content-Type': 'text/html; charset=utf-8' };
    const keep = () =>
      this.cache.get(`calendar ${root} ${JSON.stringify(query)}`, async () => {
        const { html, until } = await make();
        const response = new SerializedResponse(200, headers, [inUtf8(html.text)]);
        return { response, until, route: '/calendar' };
      });
    const budget = currentCaller()?.budget;
    const cached = await runInBackground(keep, budget);
    if (cached) cached.send(request, response);
    else response.send((await runInBackground(() => this.cache.limited(make), budget)).html.text);
  }

  private framedBy(embed: boolean): string {
    const { embedOrigins } = this.env;
    if (!embed) return "'self'";
    return embedOrigins === null ? '*' : ["'self'", ...embedOrigins].join(' ');
  }
}

function invalid({ parameter, message }: InvalidCalendarUrl): RestException {
  const data = { params: { [parameter]: message } };
  return new RestException('invalid', 'rest_invalid_param', message, { data });
}
