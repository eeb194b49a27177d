import { Module } from '@nestjs/common';
import { ContentTypes } from '../wordpress/types/content-types.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { CalendarOptionsService } from './calendar-options.service.js';
import { registerCalendar } from './register-calendar.js';

/** Settings and bookkeeping that all resources of the calendar share. */
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
