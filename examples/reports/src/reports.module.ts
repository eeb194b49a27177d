import { Module } from '@nestjs/common';
import { EventsModule, HttpModule } from 'almanac';
import { ReportsController } from './reports.controller.js';

/** The plugin: `PLUGINS=almanac-example-reports`. */
@Module({ imports: [EventsModule, HttpModule], controllers: [ReportsController] })
export default class ReportsModule {}
