import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule, JobsModule } from 'almanac';
import { CreateOutbox1890000000001, Message } from './message.entity.js';
import { Outbox } from './outbox.js';

/** Sends each change of an event to the address in OUTBOX_URL. */
@Module({ imports: [EventsModule, JobsModule, TypeOrmModule.forFeature([Message])], providers: [Outbox] })
export default class OutboxModule {
  static readonly migrations = [CreateOutbox1890000000001];
}
