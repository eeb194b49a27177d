import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { cookieName } from '../auth/login-cookie.js';
import { Environment } from '../config/env.js';
import { noRoute } from '../http/error-answer.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { DOCS_FILES, DOCS_SCRIPT, docsPage, docsPolicy } from './docs-page.js';
import { toOpenApi } from './openapi.js';
import { RouteTable } from './route-table.js';

const PACKAGE = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The complete document and a page to try requests on; both outside the namespaces. */
@Controller()
export class DocsController {
  constructor(
    private readonly env: Environment,
    private readonly settings: SettingsService,
    private readonly table: RouteTable,
  ) {}

  @Get('openapi.json')
  async document() {
    const { links } = await this.settings.current();
    return toOpenApi(this.table.routes(), {
      addresses: this.env.apiNamespaces.flatMap((name) => [
        // Relative to the document, so that it holds behind any proxy.
        { url: `.${this.env.pathPrefix}/${name}`, description: 'This server' },
        { url: `${this.env.restBaseUrl}/${name}`, description: 'Public address' },
      ]),
      cookie: cookieName('logged_in', links.siteUrl),
    });
  }

  @Get('docs')
  page(@Req() request: Request, @Res() response: Response) {
    this.guarded(response)
      .type('html')
      .send(docsPage(request.path.endsWith('/') ? '' : 'docs/'));
  }

  @Get('docs/start.js')
  script(@Res() response: Response) {
    this.guarded(response).type('js').send(DOCS_SCRIPT);
  }

  @Get('docs/:file')
  file(@Param('file') file: string, @Res() response: Response) {
    if (!DOCS_FILES.has(file)) throw noRoute();
    this.guarded(response).sendFile(file, { root: PACKAGE });
  }

  private guarded(response: Response): Response {
    return response.set({
      'Content-Security-Policy': docsPolicy(this.env.restBaseUrl),
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    });
  }
}
