import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../config/env.js';
import { noRoute } from '../http/errors/error-response.js';
import { ResponseCache } from '../http/response-cache/response-cache.service.js';
import { inUtf8, SerializedResponse } from '../http/serialized-response.js';
import { StaticFiles } from '../http/server/static-files.service.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { DOCS_FILES, DOCS_SCRIPT, DOCS_STYLE, docsHeaders, docsPage } from './docs-page.js';
import { OpenApiService } from './openapi.service.js';

const SWAGGER = createRequire(import.meta.url).resolve('@nestjs/swagger');
const PACKAGE = dirname(createRequire(SWAGGER).resolve('swagger-ui-dist/package.json'));

/** The complete document and the page for trying requests, both outside the namespaces. */
@Undocumented()
@Controller()
export class DocsController {
  constructor(
    private readonly env: Environment,
    private readonly openApi: OpenApiService,
    private readonly settings: SettingsService,
    private readonly files: StaticFiles,
    private readonly cache: ResponseCache,
  ) {}

  @Get('openapi.json')
  async document(@Req() request: Request, @Res() response: Response) {
    const make = async () => JSON.stringify(await this.openApi.document());
    const cached = await this.cache.get('openapi.json', async () => {
      const response = new SerializedResponse(200, {}, [inUtf8(await make())]);
      return { response, until: Number.POSITIVE_INFINITY };
    });
    response.set('Cache-Control', 'no-cache').type('json');
    if (cached) cached.send(request, response);
    else response.send(await make());
  }

  @Get('docs')
  async page(@Req() request: Request, @Res() response: Response) {
    const { options } = await this.settings.current();
    const place = request.path.endsWith('/')
      ? { folder: './', root: '../' }
      : { folder: './docs/', root: './' };
    const page = docsPage(options.get('blogname') ?? '', place);
    this.guarded(response).type('html').send(page);
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
  async file(@Param('file') file: string, @Req() request: Request, @Res() response: Response) {
    if (!DOCS_FILES.has(file)) throw noRoute();
    await this.files.send(join(PACKAGE, file), request, this.guarded(response).type(file));
  }

  private guarded(response: Response): Response {
    return response.set({ ...docsHeaders(this.env.restBaseUrl), 'Cache-Control': 'no-cache' });
  }
}
