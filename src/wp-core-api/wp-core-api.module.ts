import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { CategoriesModule } from '../resources/categories/categories.module.js';
import { TagsModule } from '../resources/tags/tags.module.js';
import { MediaModule } from '../wordpress/media/media.module.js';
import { Authors } from '../wordpress/users/authors.service.js';
import { UserProfiles } from '../wordpress/users/users.service.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { BatchController } from './batch/batch.controller.js';
import { BatchService } from './batch/batch.service.js';
import { CoreEventsController } from './events.controller.js';
import { CoreEventsService } from './events.service.js';
import { MediaController } from './media.controller.js';
import { MediaService } from './media.service.js';
import { MediaWrites } from './media-writes.service.js';
import {
  EventRevisionsController,
  OrganizerRevisionsController,
  VenueRevisionsController,
} from './revisions.controller.js';
import { RevisionsService } from './revisions.service.js';
import { SettingsController } from './settings.controller.js';
import { CoreCategoriesController, CoreTagsController } from './terms.controller.js';
import { CoreTermsService } from './terms.service.js';
import { TypesController } from './types.controller.js';
import { TypesService } from './types.service.js';
import { UsersController } from './users.controller.js';
import { UsersListService } from './users.service.js';

/** The routes of `wp/v2` that calendar clients use (docs/behaviour/core-routes.md). */
@Module({
  imports: [WordPressModule, MediaModule, HttpModule, CategoriesModule, TagsModule],
  controllers: [
    UsersController,
    TypesController,
    MediaController,
    CoreTagsController,
    CoreCategoriesController,
    CoreEventsController,
    EventRevisionsController,
    VenueRevisionsController,
    OrganizerRevisionsController,
    SettingsController,
    BatchController,
  ],
  providers: [
    Authors,
    BatchService,
    CoreTermsService,
    CoreEventsService,
    MediaService,
    MediaWrites,
    RevisionsService,
    TypesService,
    UserProfiles,
    UsersListService,
  ],
})
export class WpCoreApiModule {}
