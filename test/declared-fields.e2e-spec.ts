import { Module } from '@nestjs/common';
import { calendarSettings } from '../src/calendar/calendar-settings.js';
import { Hooks } from '../src/hooks/hooks.js';
import { makeContext } from '../src/http/request-context.js';
import { postHooks } from '../src/resources/resource-hooks.js';
import { ResourceModule } from '../src/resources/resource.module.js';
import { startTestServer, type TestServer } from '../src/testing.js';
import { VENUE } from '../src/venues/venue-type.js';
import { VenuesModule } from '../src/venues/venues.module.js';
import { VenuesService } from '../src/venues/venues.service.js';
import { SettingsService } from '../src/wordpress/options/settings.service.js';
import { ContentTypes } from '../src/wordpress/types/content-types.js';

const VENUES = '/cal/events/v1/venues';
const seats = { meta: '_seats', description: 'How many sit there.', type: 'integer' } as const;

@Module({ imports: [VenuesModule, ResourceModule.withFields(VENUE, { seats })] })
class SeatsModule {}

interface Venue {
  id: number;
  seats: number | null;
}

describe('a declared field of a record that a create finds', () => {
  let server: TestServer;
  let told = 0;
  beforeAll(async () => {
    server = await startTestServer({ plugins: [SeatsModule] });
    server.app.get(Hooks).addAction(postHooks(VENUE).afterInsert, () => {
      told++;
    });
  });
  afterAll(() => server?.close());

  const seatsOf = async (id: number) => (await server.get<Venue>(`${VENUES}/${id}`)).body.seats;

  it('is written by who may edit the record only', async () => {
    const { body: hall } = await server.asAdmin().post<Venue>(VENUES, { venue: 'Hall', seats: 100 });
    const settings = calendarSettings(await server.app.get(SettingsService).current());
    const base = { root: 'http://localhost:3000', namespace: 'cal/events/v1' };
    const context = makeContext(
      { id: 77, capabilities: new Set(['read', 'edit_tribe_venues']) },
      { settings, base, now: Date.parse('2030-01-15T12:00:00Z') },
      server.app.get(ContentTypes, { strict: false }),
    );
    const sent = { venue: 'Hall', seats: 1 };
    const found = await server.app.get(VenuesService, { strict: false }).create(sent, context);
    expect(found).toMatchObject({ id: hall.id, seats: 100 });
    expect([await seatsOf(hall.id), told]).toEqual([100, 1]);

    await server.asAdmin().post(VENUES, { venue: 'Hall', seats: 120 });
    expect([await seatsOf(hall.id), told]).toEqual([120, 2]);
  });
});
