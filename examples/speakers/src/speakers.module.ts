import { Module } from '@nestjs/common';
import { EventsModule, HttpModule, ResourceModule, VenuesModule } from 'almanac';
import { fields, SPEAKER } from './speaker-type.js';
import { SpeakersController } from './speakers.controller.js';
import { SpeakersService } from './speakers.service.js';

/** Speakers of events, with routes below `speakers` and rights of their own. */
@Module({
  imports: [
    HttpModule,
    EventsModule,
    VenuesModule,
    ResourceModule.forFeature(SPEAKER),
    ResourceModule.withFields(SPEAKER, fields),
  ],
  controllers: [SpeakersController],
  providers: [SpeakersService],
})
export default class SpeakersModule {}
