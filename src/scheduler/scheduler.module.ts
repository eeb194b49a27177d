import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { HttpModule } from '../http/http.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { EventsModule } from '../resources/events/events.module.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { ScheduleCounts } from './schedule-counts.js';
import { ScheduleRun } from './schedule-run.service.js';
import { Scheduler } from './scheduler.service.js';

/** Publishes scheduled records, empties the trash and imports followed feeds. */
@Module({
  imports: [DiscoveryModule, HttpModule, WordPressModule, EventsModule, ImportsModule],
  providers: [ScheduleCounts, ScheduleRun, Scheduler],
  exports: [ScheduleCounts, ScheduleRun],
})
export class SchedulerModule {}
