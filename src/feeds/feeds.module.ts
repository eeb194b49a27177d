import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { CalendarEntries } from './calendar-entries.service.js';
import { FeedsController } from './feeds.controller.js';
import { FeedsService } from './feeds.service.js';

/** Calendar files and feeds of events. */
@Module({
  imports: [EventsModule],
  controllers: [FeedsController],
  providers: [CalendarEntries, FeedsService],
})
export class FeedsModule {}
