import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../../common/clock.js';
import { Environment, OWN_NAMESPACE } from '../../config/env.js';
import { noRoute } from '../../http/errors/error-response.js';
import { Undocumented } from '../../http/undocumented.decorator.js';
import { htmlEntityDecode } from '../../lib/wordpress-text/formatting/html-entity-decode.js';
import { builtPageHeaders } from '../../openapi/page-headers.js';
import { EventSeries } from '../../resources/events/recurrence/event-series.service.js';
import { SettingsService } from '../../wordpress/options/settings.service.js';
import { PageAssets } from '../page-assets.js';
import { editorPage } from './editor-page.js';

/** A page on which people write what the interface serves; `EDITOR=off` removes it (docs/editor.md). */
@Undocumented()
@Controller('editor')
export class EditorController {
  constructor(
    private readonly env: Environment,
    private readonly settings: SettingsService,
    private readonly assets: PageAssets,
    private readonly series: EventSeries,
    private readonly clock: Clock,
  ) {}

  @Get()
  async page(@Req() request: Request, @Res() response: Response) {
    const { editor, pathPrefix, apiNamespaces, readOnly, emptyTrashDays, uploadsDir } = this.env;
    if (editor === 'off') throw noRoute();
    const { options, zone, render } = await this.settings.current();
    const root = request.path.endsWith('/') ? '..' : '.';
    response
      .set({
        ...builtPageHeaders(render.uploadsUrl),
        'X-Robots-Tag': 'noindex',
        'Cache-Control': 'no-store',
      })
      .type('html')
      .send(
        editorPage({
          name: htmlEntityDecode(options.get('blogname') ?? ''),
          root,
          script: this.assets.address('editor.js'),
          style: this.assets.address('editor.css'),
          settings: {
            rest: root + pathPrefix,
            namespace: apiNamespaces[0] ?? OWN_NAMESPACE,
            zone,
            readOnly,
            trashDays: emptyTrashDays,
            imageUrls: uploadsDir !== undefined,
            recurrenceOff: (await this.series.reasonOff(this.clock.now())) ?? '',
          },
        }).text,
      );
  }
}
