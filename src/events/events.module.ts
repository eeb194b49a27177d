import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { Event } from './event.entity.js';
import { EventBundlesService } from './event-bundles.service.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { TecEvent } from './tec-event.entity.js';
import { TecOccurrence } from './tec-occurrence.entity.js';

/** Events: the resource that links all others. */
@Module({
  imports: [WordPressModule, TypeOrmModule.forFeature([Event, TecEvent, TecOccurrence])],
  controllers: [EventsController],
  providers: [EventsService, EventBundlesService],
})
export class EventsModule {}
