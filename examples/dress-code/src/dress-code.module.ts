import { Module } from '@nestjs/common';
import { EVENT, EventsModule, ResourceModule } from 'almanac';
import { MaxLength } from 'class-validator';

/**
 * What guests should wear. `dress_code` is shown in every answer about an event, may be sent with a create or an update, and lists
 * take it as a filter: `GET /cal/events/v1/events?dress_code=black+tie`. A locked event does not tell it.
 */
const dress_code = {
  meta: '_dress_code',
  type: 'string',
  description: 'What guests should wear.',
  checks: [MaxLength(100)],
  filter: true,
} as const;

/** For those who prepare the event; nobody else sees it, sends it or may filter by it. */
const wardrobe_note = {
  meta: '_wardrobe_note',
  description: 'A note to the wardrobe.',
  readableBy: 'edit_others_tribe_events',
  writableBy: 'edit_others_tribe_events',
};

/** The plugin: `PLUGINS=almanac-example-dress-code`. */
@Module({ imports: [EventsModule, ResourceModule.withFields(EVENT, { dress_code, wardrobe_note })] })
export default class DressCodeModule {}
