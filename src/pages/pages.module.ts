import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { HttpModule } from '../http/http.module.js';
import { CategoriesModule } from '../resources/categories/categories.module.js';
import { EventsModule } from '../resources/events/events.module.js';
import { OrganizersModule } from '../resources/organizers/organizers.module.js';
import { TagsModule } from '../resources/tags/tags.module.js';
import { VenuesModule } from '../resources/venues/venues.module.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { AssetsController } from './assets.controller.js';
import { CalendarPageController } from './calendar/calendar-page.controller.js';
import { CalendarPageService } from './calendar/calendar-page.service.js';
import { EditorController } from './editor/editor.controller.js';
import { EditorForms } from './editor/editor-forms.service.js';
import { EditorPreviewController } from './editor/editor-preview.controller.js';
import { EditorSessionController } from './editor/editor-session.controller.js';
import { HomeController } from './home/home.controller.js';
import { PageAssets } from './page-assets.js';
import { PublicPages } from './public/public-pages.service.js';
import { PublicRecords } from './public/public-records.service.js';
import { SiteFiles } from './public/site-files.service.js';

/** Pages for people: the calendar, and the editor of a site without PHP. */
@Module({
  imports: [
    AuthModule,
    WordPressModule,
    HttpModule,
    EventsModule,
    VenuesModule,
    OrganizersModule,
    CategoriesModule,
    TagsModule,
  ],
  controllers: [
    HomeController,
    AssetsController,
    CalendarPageController,
    EditorController,
    EditorPreviewController,
    EditorSessionController,
  ],
  providers: [PageAssets, CalendarPageService, EditorForms, PublicPages, PublicRecords, SiteFiles],
})
export class PagesModule {}
