import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { noRoute } from '../http/error-answer.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { PageAssets } from './page-assets.js';

/** Files that pages load; the name of each holds a hash of its content. */
@Undocumented()
@Controller('assets')
export class AssetsController {
  constructor(private readonly assets: PageAssets) {}

  @Get(':file')
  file(@Param('file') file: string, @Res() response: Response) {
    if (!this.assets.has(file)) throw noRoute();
    response
      .set('X-Content-Type-Options', 'nosniff')
      .sendFile(file, { root: this.assets.folder, maxAge: '1y', immutable: true });
  }
}
