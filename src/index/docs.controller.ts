import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../config/env.js';
import { noRoute } from '../http/error-answer.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { DOCS_FILES, DOCS_SCRIPT, DOCS_STYLE, docsHeaders, docsPage } from './docs-page.js';
import { OpenApiService } from './openapi.service.js';

const SWAGGER = createRequire(import.meta.url).resolve('@nestjs/swagger');
const PACKAGE = dirname(createRequire(SWAGGER).resolve('swagger-ui-dist/package.json'));

/** The complete document and a page to try requests on; both outside the namespaces. */
@Undocumented()
@Controller()
export class DocsController {
  constructor(
    private readonly env: Environment,
    private readonly openApi: OpenApiService,
    private readonly settings: SettingsService,
  ) {}

  @Get('openapi.json')
  document() {
    return this.openApi.document();
  }

  @Get('docs')
  async page(@Req() request: Request, @Res() response: Response) {
    const { options } = await this.settings.current();
    const place = request.path.endsWith('/')
      ? { folder: './', root: '../' }
      : { folder: './docs/', root: './' };
    const page = docsPage(options.get('blogname') ?? '', place);
    this.guarded(response).set('Cache-Control', 'no-cache').type('html').send(page);
  }

  @Get('docs/style.css')
  style(@Res() response: Response) {
    this.guarded(response).type('css').send(DOCS_STYLE);
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
    return response.set(docsHeaders(this.env.restBaseUrl));
  }
}
