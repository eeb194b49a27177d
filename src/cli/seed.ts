import { randomInt } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import sql from 'sql-template-tag';
import { Database } from '../database/database.js';
import { StartError } from '../database/start-error.js';
import { EVENT } from '../resources/events/event-type.js';
import { CreateEventDto } from '../resources/events/event-write.dto.js';
import { EventsService } from '../resources/events/events.service.js';
import type { DemoEvent } from '../setup/data/demo-event.js';
import { DEMO_EVENTS } from '../setup/data/demo-events.js';
import { DEMO_ORGANIZERS, type DemoOrganizer } from '../setup/data/demo-organizers.js';
import { DEMO_SERIES } from '../setup/data/demo-series.js';
import { DEMO_VENUES, type DemoVenue } from '../setup/data/demo-venues.js';
import { datesOf } from '../setup/demo-dates.js';
import { nowInZone } from '../wordpress/posts/post-dates.js';
import { SiteCaller } from './site-caller.js';
import { UserAdmin } from './user/user.js';

const SAMPLES: readonly DemoEvent[] = [...DEMO_SERIES, ...DEMO_EVENTS].filter(({ password }) => !password);
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

/**
 * Creates published events from the demo's samples on random days around the present, as this user or the first
 * administrator; `made` is called with the count.
 */
export async function seedEvents(
  app: INestApplicationContext,
  { events, as }: { events: number; as?: string },
  onProgress: (count: number) => void,
): Promise<void> {
  const caller = await SiteCaller.of(app, as ?? (await firstAdministrator(app)));
  const service = app.get(EventsService);
  for (let count = 1; count <= events; count++) {
    const context = await caller.context();
    const sample = SAMPLES[randomInt(SAMPLES.length)] as DemoEvent;
    const { local: today } = nowInZone(context.now, context.settings.zone);
    const dates = datesOf({ ...sample, week: randomInt(-PAST, AHEAD), weekday: randomInt(7) }, today);
    const raw = { ...fieldsOf(sample), ...dates };
    await service.create(await caller.read(CreateEventDto, raw, context), context);
    onProgress(count);
  }
}

async function firstAdministrator(app: INestApplicationContext): Promise<string> {
  const { users } = await new UserAdmin(app).list({ role: 'administrator', perPage: 1 });
  const [first] = users;
  if (!first) throw new StartError('There is no administrator: say with --as whose events they become.');
  return first.login;
}

/** A sample as a request body. */
function fieldsOf({
  title,
  description,
  excerpt,
  website,
  zone,
  cost,
  categories,
  tags = [],
  venue,
  organizers = [],
}: DemoEvent) {
  const { at: _, ...place }: Partial<DemoVenue> = venue ? DEMO_VENUES[venue] : {};
  const people: DemoOrganizer[] = organizers.map((key) => DEMO_ORGANIZERS[key]);
  return {
    ...{ title, description, excerpt, website, cost, categories, tags },
    timezone: zone,
    ...(venue && { venue: [place] }),
    organizer: people,
  };
}
