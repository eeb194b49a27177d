import { Module } from '@nestjs/common';
import { EventsModule } from '../resources/events/events.module.js';
import { LinkedPostsModule } from '../resources/linked-posts/linked-posts.module.js';
import { MediaModule } from '../wordpress/media/media.module.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { DemoCalendar } from './demo-calendar.service.js';
import { DemoPictures } from './demo-pictures.service.js';
import { FirstStart } from './first-start.service.js';

/** First start with an empty database. */
@Module({
  imports: [WordPressModule, MediaModule, LinkedPostsModule, EventsModule],
  providers: [DemoCalendar, DemoPictures, FirstStart],
})
export class SetupModule {}
