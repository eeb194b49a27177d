import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { calendarSettings } from '../../calendar/calendar-settings.js';
import { currentCaller, runInBackground } from '../../common/context/abort.js';
import { RestException } from '../../common/errors/rest-exception.js';
import type { RequestContext } from '../../http/request-context.js';
import { RequestContexts } from '../../http/request-contexts.service.js';
import { ResponseCache } from '../../http/response-cache/response-cache.service.js';
import { inUtf8, SerializedResponse } from '../../http/serialized-response.js';
import { splitOnce } from '../../lib/wordpress-text/formatting/uri-parts.js';
import { builtPageHeaders } from '../../openapi/page-headers.js';
import { SettingsService } from '../../wordpress/options/settings.service.js';
import { PublicRecords } from './public-records.service.js';
import { type SiteAddress, siteAddress } from './site-address.js';
import { SiteFiles } from './site-files.service.js';

/** A response and when it expires, in epoch milliseconds. */
interface Timely {
  type: string;
  text: string;
  until: number;
}

const FILES = /^\/(?:robots\.txt|favicon\.svg|sitemap[\w-]*\.xml)$/;

/** Serves the site's own addresses: pages of records, lists as redirects to the calendar page, and files of the root. */
@Injectable()
export class PublicPages {
  constructor(
    private readonly settings: SettingsService,
    private readonly contexts: RequestContexts,
    private readonly records: PublicRecords,
    private readonly files: SiteFiles,
    private readonly cache: ResponseCache,
  ) {}

  /** Sends the page or redirect of an address; false if there is none. */
  async serve(request: Request, response: Response): Promise<boolean> {
    const [path, query] = splitOnce(request.originalUrl, '?');
    const settings = calendarSettings(await this.settings.current());
    if (settings.restDisabled) return false;
    // Relative addresses keep a proxy's path.
    const root = '../'.repeat(path.split('/').length - 2) || './';
    if (path === '/favicon.ico') return this.redirect(response, `${root}favicon.svg`);
    const address = FILES.test(path) ? undefined : siteAddress(path, query, settings);
    if (!FILES.test(path) && !address) return false;
    try {
      if (address?.kind === 'archive') {
        const search = await this.records.calendarSearch(address, await this.contexts.anonymous());
        // What is past changes by the hour.
        const status = address.isPast ? 302 : 301;
        return search !== undefined && this.redirect(response, `${root}calendar${search}`, status);
      }
      return await this.send(address ?? path, root, request, response);
    } catch (error) {
      if (error instanceof RestException && error.kind === 'not_found') return false;
      throw error;
    }
  }

  /** The page at an unknown address, with its headers; undefined where there are no pages. */
  async missing(request: Request): Promise<{ headers: Record<string, string>; text: string } | undefined> {
    const [path] = splitOnce(request.originalUrl, '?');
    const root = '../'.repeat(path.split('/').length - 2) || './';
    const { text } = await this.records.missing(root);
    return { headers: await this.headers(), text };
  }

  private redirect(response: Response, to: string, status: 301 | 302 = 301): true {
    response.set('Cache-Control', 'no-cache').redirect(status, to);
    return true;
  }

  private async headers(): Promise<Record<string, string>> {
    const { render } = await this.settings.current();
    return {
      ...builtPageHeaders(render.uploadsUrl, "'self'"),
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      'Cache-Control': 'no-cache',
    };
  }

  /** Sends a response, which is cached until its data change. */
  private async send(
    target: SiteAddress | string,
    root: string,
    request: Request,
    response: Response,
  ): Promise<boolean> {
    const make = () => this.make(target, root);
    const keep = () =>
      this.cache.get(`page ${root} ${JSON.stringify(target)}`, async () => {
        const { type, text, until } = await make();
        const fresh = new SerializedResponse(200, { 'Content-Type': type }, [inUtf8(text)]);
        return { response: fresh, until, route: '/page' };
      });
    const budget = currentCaller()?.budget;
    const cached = await runInBackground(keep, budget);
    const uncached = cached ? undefined : await runInBackground(() => this.cache.limited(make), budget);
    response.set(await this.headers());
    if (cached) cached.send(request, response);
    else if (uncached) response.type(uncached.type).send(uncached.text);
    return true;
  }

  private async make(target: SiteAddress | string, root: string): Promise<Timely> {
    const context = await this.contexts.anonymous();
    const content =
      typeof target === 'string'
        ? await this.files.at(target, this.records.publicRoot, context)
        : await this.page(target, root, context);
    if (!content) throw new RestException('not_found', 'rest_no_route', 'There is no page at this address.');
    return { ...content, until: context.time.validity().until };
  }

  private async page(address: SiteAddress, root: string, context: RequestContext) {
    if (address.kind === 'archive') return undefined;
    const page = await this.records.page(address, root, context);
    return page && { type: 'text/html; charset=utf-8', text: page.text };
  }
}
