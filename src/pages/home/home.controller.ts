import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../config/env.js';
import { HOME_BASE } from '../../http/rest-request.js';
import { Undocumented } from '../../http/undocumented.decorator.js';
import { SettingsService } from '../../wordpress/options/settings.service.js';
import { pageLanguage } from '../calendar/page-language.js';
import { isTranslated } from '../texts/editor-texts.js';
import { HOME_HEADERS, homePage } from './home-page.js';

/** The page at `/` for browsers; programs get the REST root there (`http/server/read-request.ts`). */
@Undocumented()
@Controller(HOME_BASE)
export class HomeController {
  constructor(
    private readonly env: Environment,
    private readonly settings: SettingsService,
  ) {}

  @Get()
  async page(@Res() response: Response) {
    const { options, links, render } = await this.settings.current();
    const { restBaseUrl, apiNamespaces, editor } = this.env;
    const addresses = apiNamespaces.map((name) => `${restBaseUrl}/${name}`);
    response
      .set({
        ...HOME_HEADERS,
        'X-Robots-Tag': 'noindex',
        'Cache-Control': 'no-cache',
        Vary: 'Accept',
        Link: `<${restBaseUrl}/>; rel="https://api.w.org/"`,
      })
      .type('html')
      .send(
        homePage({
          name: options.get('blogname') ?? '',
          home: links.home,
          addresses,
          hasEditor: editor === 'on',
          language: pageLanguage(isTranslated(render.locale) ? render.locale : ''),
        }),
      );
  }
}
