import { Module } from '@nestjs/common';
import { CalendarModule } from '../calendar/calendar.module.js';
import { MediaModule } from '../wordpress/media/media.module.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { EventLinksService } from './event-links.service.js';
import { LinkedPostChangesService } from './linked-post-changes.service.js';
import { LinkedPostWriter } from './linked-post-writer.js';
import { LinkedPostsService } from './linked-posts.service.js';

const SERVICES = [LinkedPostsService, LinkedPostChangesService, LinkedPostWriter];

/** What venues and organizers share. */
@Module({
  imports: [WordPressModule, CalendarModule, MediaModule],
  providers: [...SERVICES, EventLinksService],
  exports: SERVICES,
})
export class LinkedPostsModule {}
