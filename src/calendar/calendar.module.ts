import { Module } from '@nestjs/common';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { CalendarOptionsService } from './calendar-options.service.js';

/** What every resource of the calendar stands on. */
@Module({
  imports: [WordPressModule],
  providers: [CalendarOptionsService],
  exports: [CalendarOptionsService],
})
export class CalendarModule {}
