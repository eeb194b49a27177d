import { Controller, HttpCode, Post, type RawBodyRequest, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { forbidden } from '../../common/errors/rest-exception.js';
import { Environment } from '../../config/env.js';
import { noRoute } from '../../http/errors/error-response.js';
import { RequestContexts } from '../../http/request-contexts.service.js';
import { parseBody } from '../../http/server/read-body.js';
import { Undocumented } from '../../http/undocumented.decorator.js';
import { PublicRecords } from '../public/public-records.service.js';
import { editorHeaders } from './editor-page.js';

/** The public page of what is typed in the editor's form (docs/editor.md#what-it-does). */
@Undocumented()
@Controller('editor/preview')
export class EditorPreviewController {
  constructor(
    private readonly env: Environment,
    private readonly contexts: RequestContexts,
    private readonly records: PublicRecords,
  ) {}

  /** Takes the fields of a create as JSON, checks them as a create does, and writes nothing. */
  @Post('events')
  @HttpCode(200)
  async event(@Req() request: RawBodyRequest<Request>, @Res() response: Response) {
    if (this.env.editor === 'off') throw noRoute();
    const context = await this.contexts.of(request);
    if (!context.access.signedIn) throw forbidden('Previews are for users who are signed in.');
    // Relative addresses are seen from the editor, which frames the page.
    const root = request.query['root'] === '../' ? '../' : './';
    const { headers, rawBody = NO_BYTES } = request;
    const { json } = await parseBody(rawBody, { headers, method: 'POST', sentAs: 'POST' });
    const { text } = await this.records.preview(json, root, context);
    response.set(editorHeaders(context.settings.render.uploadsUrl)).type('html').send(text);
  }
}

const NO_BYTES = Buffer.alloc(0);
