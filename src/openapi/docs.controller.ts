import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../config/env.js';
import { ResponseCache } from '../http/response-cache/response-cache.service.js';
import { inUtf8, SerializedResponse } from '../http/serialized-response.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import type { ApiDocument } from './docs-operations.js';
import { DOCS_STYLE, docsHeaders, docsPage } from './docs-page.js';
import { DOCS_SCRIPT } from './docs-script.js';
import { OpenApiService } from './openapi.service.js';

/** The complete document and the page for trying requests, both outside the namespaces. */
@Undocumented()
@Controller()
export class DocsController {
  constructor(
    private readonly env: Environment,
    private readonly openApi: OpenApiService,
    private readonly settings: SettingsService,
    private readonly cache: ResponseCache,
  ) {}

  @Get('openapi.json')
  async document(@Req() request: Request, @Res() response: Response) {
    response.type('json');
    await this.send('openapi.json', request, response, async () =>
      JSON.stringify(await this.openApi.document()),
    );
  }

  @Get('docs')
  async page(@Req() request: Request, @Res() response: Response) {
    const place = request.path.endsWith('/')
      ? { folder: './', root: '../' }
      : { folder: './docs/', root: './' };
    await this.send(`docs ${place.root}`, request, this.guarded(response).type('html'), async () => {
      const { options } = await this.settings.current();
      const document = (await this.openApi.document()) as unknown as ApiDocument;
      return docsPage(options.get('blogname') ?? '', document, place);
    });
  }

  @Get('docs/style.css')
  async style(@Req() request: Request, @Res() response: Response) {
    await this.send('docs/style.css', request, this.guarded(response).type('css'), async () => DOCS_STYLE);
  }

  @Get('docs/start.js')
  async script(@Req() request: Request, @Res() response: Response) {
    await this.send('docs/start.js', request, this.guarded(response).type('js'), async () => DOCS_SCRIPT);
  }

  /** Sends a text, compressed and with an entity tag where it may be cached; its type is set already. */
  private async send(key: string, request: Request, response: Response, make: () => Promise<string>) {
    const cached = await this.cache.get(key, async () => {
      const text = new SerializedResponse(200, {}, [inUtf8(await make())]);
      return { response: text, until: Number.POSITIVE_INFINITY };
    });
    response.set('Cache-Control', 'no-cache');
    if (cached) cached.send(request, response);
    else response.send(await make());
  }

  private guarded(response: Response): Response {
    return response.set(docsHeaders(this.env.restBaseUrl));
  }
}
