import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { EventsModule } from '../resources/events/events.module.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { FollowedFeeds } from './followed-feeds.service.js';

/** Imports calendar files, and the feeds that are followed. */
@Module({
  imports: [HttpModule, WordPressModule, EventsModule],
  providers: [FollowedFeeds],
  exports: [FollowedFeeds],
})
export class ImportsModule {}
