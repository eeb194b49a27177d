import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../../common/clock.js';
import { forbidden } from '../../common/errors/rest-exception.js';
import { Environment, OWN_NAMESPACE } from '../../config/env.js';
import { noRoute } from '../../http/errors/error-response.js';
import { RequestContexts } from '../../http/request-contexts.service.js';
import { Undocumented } from '../../http/undocumented.decorator.js';
import { htmlEntityDecode } from '../../lib/wordpress-text/formatting/html-entity-decode.js';
import { EventSeries } from '../../resources/events/recurrence/event-series.service.js';
import { ImageStore } from '../../wordpress/media/image-store.js';
import { SettingsService } from '../../wordpress/options/settings.service.js';
import { pageLanguage } from '../calendar/page-language.js';
import { firstDayOf } from '../first-day.js';
import { PageAssets } from '../page-assets.js';
import { isTranslated } from '../texts/editor-texts.js';
import { EditorForms } from './editor-forms.service.js';
import { editorHeaders, editorPage } from './editor-page.js';

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
    private readonly forms: EditorForms,
    private readonly contexts: RequestContexts,
    private readonly imageStore: ImageStore,
  ) {}

  @Get()
  async page(@Req() request: Request, @Res() response: Response) {
    const { pathPrefix, apiNamespaces, readOnly, emptyTrashDays } = this.env;
    this.checkOn();
    const { options, zone, render } = await this.settings.current();
    const root = request.path.endsWith('/') ? '..' : '.';
    const hasForms = this.forms.hasAny();
    const styles = hasForms ? ['editor.css', 'declared.css'] : ['editor.css'];
    response
      .set(editorHeaders(render.uploadsUrl))
      .type('html')
      .send(
        editorPage({
          name: htmlEntityDecode(options.get('blogname') ?? ''),
          // The texts are English where there is no translation, and so is the page.
          language: pageLanguage(isTranslated(render.locale) ? render.locale : ''),
          root,
          script: this.assets.address('editor.js'),
          styles: styles.flatMap((name) => this.assets.address(name) ?? []),
          settings: {
            rest: root + pathPrefix,
            namespace: apiNamespaces[0] ?? OWN_NAMESPACE,
            zone,
            firstDay: firstDayOf(options),
            readOnly,
            trashDays: emptyTrashDays,
            imageUrls: this.imageStore.isAvailable,
            recurrenceOff: (await this.series.offBy(this.clock.now())) ?? '',
            session: `${root}/editor/session`,
            preview: `${root}/editor/preview/events?root=${root}/`,
            forms: hasForms ? `${root}/editor/forms` : '',
          },
        }).text,
      );
  }

  /** What the forms show of plugins' fields and resources, as the user may see and write it. */
  @Get('forms')
  async readForms(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    this.checkOn();
    const context = await this.contexts.of(request);
    if (!context.access.signedIn) throw forbidden('Forms are for users who are signed in.');
    response.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' });
    return this.forms.of(context);
  }

  private checkOn(): void {
    if (this.env.editor === 'off') throw noRoute();
  }
}
