import { Module } from '@nestjs/common';
import { UserProfiles } from '../wordpress/users/user-profiles.service.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { MediaController } from './media.controller.js';
import { MediaService } from './media.service.js';
import { TypesController } from './types.controller.js';
import { TypesService } from './types.service.js';
import { UsersController } from './users.controller.js';

/**
 * The routes of WordPress's own namespace that its clients ask first, to read: who is signed in, what kinds of records there
 * are, one file (docs/behaviour/core-routes.md).
 */
@Module({
  imports: [WordPressModule],
  controllers: [UsersController, TypesController, MediaController],
  providers: [MediaService, TypesService, UserProfiles],
})
export class CoreRoutesModule {}
