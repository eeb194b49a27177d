import { Module } from '@nestjs/common';
import { UserProfiles } from '../wordpress/users/user-profiles.service.js';
import { CategoriesModule } from '../categories/categories.module.js';
import { TagsModule } from '../tags/tags.module.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { CoreCategoriesController } from './core-categories.controller.js';
import { CoreEventsController } from './core-events.controller.js';
import { CoreEventsService } from './core-events.service.js';
import { CoreTagsController } from './core-tags.controller.js';
import { CoreTermsService } from './core-terms.service.js';
import { MediaController } from './media.controller.js';
import { MediaService } from './media.service.js';
import { SettingsController } from './settings.controller.js';
import { TypesController } from './types.controller.js';
import { TypesService } from './types.service.js';
import { UsersController } from './users.controller.js';

/**
 * The routes of WordPress's own namespace that its clients ask first, to read: who is signed in, what kinds of records there
 * are, one file (docs/behaviour/core-routes.md).
 */
@Module({
  imports: [WordPressModule, CategoriesModule, TagsModule],
  controllers: [
    UsersController,
    TypesController,
    MediaController,
    CoreTagsController,
    CoreCategoriesController,
    CoreEventsController,
    SettingsController,
  ],
  providers: [CoreTermsService, CoreEventsService, MediaService, TypesService, UserProfiles],
})
export class CoreRoutesModule {}
