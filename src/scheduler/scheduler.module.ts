import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { HttpModule } from '../http/http.module.js';
import { EventsModule } from '../resources/events/events.module.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { ScheduleCounts } from './schedule-counts.js';
import { ScheduleRun } from './schedule-run.service.js';
import { Scheduler } from './scheduler.service.js';

/** Publishes scheduled records and empties the trash. */
@Module({
  imports: [DiscoveryModule, HttpModule, WordPressModule, EventsModule],
  providers: [ScheduleCounts, ScheduleRun, Scheduler],
  exports: [ScheduleCounts, ScheduleRun],
})
export class SchedulerModule {}
