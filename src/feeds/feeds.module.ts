import { Module } from '@nestjs/common';
import { EventsModule } from '../resources/events/events.module.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { CalendarEntries } from './calendar-entries.service.js';
import { FeedNames } from './feed-names.service.js';
import { FeedsController } from './feeds.controller.js';
import { FeedsService } from './feeds.service.js';
import { FileEvents } from './file-events.service.js';
import { SeriesParts } from './series-parts.service.js';
import { StoredSeriesReader } from './stored-series.service.js';

/** Calendar files and feeds of events. */
@Module({
  imports: [EventsModule, WordPressModule],
  controllers: [FeedsController],
  providers: [CalendarEntries, FeedNames, FeedsService, FileEvents, SeriesParts, StoredSeriesReader],
})
export class FeedsModule {}
