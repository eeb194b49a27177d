import { Module } from '@nestjs/common';
import { ContentTypes } from '../wordpress/types/content-types.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { CalendarOptionsService } from './calendar-options.service.js';
import { registerCalendar } from './register-calendar.js';

/** What every resource of the calendar stands on. */
@Module({
  imports: [WordPressModule],
  providers: [CalendarOptionsService],
  exports: [CalendarOptionsService],
})
export class CalendarModule {
  constructor(types: ContentTypes) {
    registerCalendar(types);
  }
}
