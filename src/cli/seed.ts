import { randomInt } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import sql from 'sql-template-tag';
import { Database } from '../database/database.js';
import { StartError } from '../database/start-error.js';
import { SiteCaller } from '../http/site-caller.js';
import { EVENT } from '../resources/events/event-type.js';
import { CreateEventDto } from '../resources/events/event-write.dto.js';
import { EventsService } from '../resources/events/events.service.js';
import { type DemoEvent, demoEvents, demoOrganizers, demoVenues } from '../setup/demo-data.js';
import { datesOf } from '../setup/demo-dates.js';
import { nowInZone } from '../wordpress/posts/post-dates.js';
import { UserAdmin } from './user/user.js';

/** Weeks before and after the present for generated events. */
const [PAST, AHEAD] = [26, 78];

/** Number of events in any status but the trash. */
export async function countEvents(app: INestApplicationContext): Promise<number> {
  const database = app.get(Database);
  const [row] = await database.query<{ total: number | string }>(
    sql`SELECT COUNT(*) AS total FROM ${database.table('posts')} p
        WHERE p.post_type = ${EVENT.type} AND p.post_status NOT IN ('trash', 'auto-draft')`,
  );
  return Number(row?.total ?? 0);
}

/** Creates published events from the demo's samples on random days, by default as the first administrator. */
export async function seedEvents(
  app: INestApplicationContext,
  { events, as }: { events: number; as?: string },
  onProgress: (count: number) => void,
): Promise<void> {
  const caller = await SiteCaller.of(app, as ?? (await firstAdministrator(app)));
  const service = app.get(EventsService);
  const samples = demoEvents().filter(({ password }) => !password);
  const toBody = bodies();
  for (let count = 1; count <= events; count++) {
    const context = await caller.context();
    const sample = samples[randomInt(samples.length)] as DemoEvent;
    const { local: today } = nowInZone(context.now, context.settings.zone);
    const dates = datesOf({ ...sample, week: randomInt(-PAST, AHEAD), weekday: randomInt(7) }, today);
    const raw = { ...toBody(sample), ...dates };
    await service.create(await caller.read(CreateEventDto, raw, context), context);
    onProgress(count);
  }
}

async function firstAdministrator(app: INestApplicationContext): Promise<string> {
  const { users } = await new UserAdmin(app).list({ role: 'administrator', perPage: 1 });
  const [first] = users;
  if (!first) throw new StartError('There is no administrator: name the author of the events with --as.');
  return first.login;
}

/** Converts samples to request bodies. */
function bodies() {
  const places = demoVenues();
  const people = demoOrganizers();
  return ({ zone: timezone, venue, organizers = [], tags = [], ...sample }: DemoEvent) => {
    const { title, description, excerpt, website, cost, categories } = sample;
    return {
      ...{ title, description, excerpt, website, cost, categories, tags, timezone },
      ...(venue && { venue: places.filter(({ key }) => key === venue) }),
      organizer: organizers.flatMap((name) => people.filter(({ key }) => key === name)),
    };
  };
}
