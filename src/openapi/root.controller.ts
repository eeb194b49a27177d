import { Controller, Get, Options, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AllowedMethods } from '../http/allowed-methods.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Cacheable } from '../http/response-cache/cacheable.decorator.js';
import { ROOT_BASE, restOf } from '../http/rest-request.js';
import { withHeaders } from '../http/rest-response.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { IndexService } from './index.service.js';

/** What clients of WordPress ask before anything else: the REST root, the index of its own namespace, OPTIONS of both. */
@Undocumented()
@Cacheable()
@Controller(ROOT_BASE)
export class RootController {
  constructor(
    private readonly index: IndexService,
    private readonly allowed: AllowedMethods,
  ) {}

  @Get()
  root(@Context() context: RequestContext) {
    // A browser gets a page where a program gets this.
    return withHeaders(this.index.root(context), { Vary: 'Accept, Origin' });
  }

  @Get('v2')
  core(@Context() context: RequestContext) {
    return this.index.core(context);
  }

  @Options(['', '*path'])
  async options(@Req() request: Request, @Context() context: RequestContext) {
    const rest = restOf(request);
    const route = rest && this.index.route(rest, context);
    return route ? withHeaders(route, { Allow: (await this.allowed.header(request)) ?? 'GET' }) : [];
  }
}
