import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { noRoute } from '../http/errors/error-response.js';
import { StaticFiles } from '../http/server/static-files.service.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { PageAssets } from './page-assets.js';

/** File names contain a content hash. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Files that pages load. */
@Undocumented()
@Controller('assets')
export class AssetsController {
  constructor(
    private readonly assets: PageAssets,
    private readonly files: StaticFiles,
  ) {}

  @Get(':file')
  async file(@Param('file') file: string, @Req() request: Request, @Res() response: Response) {
    const path = this.assets.pathOf(file);
    if (path === undefined) throw noRoute();
    response.set('X-Content-Type-Options', 'nosniff').type(file);
    await this.files.send(path, request, response, FOR_EVER);
  }
}
