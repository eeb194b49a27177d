import { Module, type OnModuleInit } from '@nestjs/common';
import {
  EVENT,
  EventsModule,
  Hooks,
  invalidParameter,
  postHooks,
  ResourceModule,
  VENUE,
  VenuesModule,
} from 'almanac';
import { type ExternalFields, fields } from './fields.js';

/** Refuses a source that names a system without an address there. */
function requireUrl<T extends ExternalFields>(input: T): T {
  if (input.source?.system && !input.source.url) {
    throw invalidParameter('source', 'source.url is required with source.system.');
  }
  return input;
}

@Module({
  imports: [
    EventsModule,
    VenuesModule,
    ResourceModule.withFields(EVENT, fields),
    ResourceModule.withFields(VENUE, fields),
  ],
})
export default class ExternalIdModule implements OnModuleInit {
  constructor(private readonly hooks: Hooks) {}

  onModuleInit(): void {
    this.hooks.addFilter(postHooks(EVENT).preInsert, requireUrl);
    this.hooks.addFilter(postHooks(VENUE).preInsert, requireUrl);
  }
}
