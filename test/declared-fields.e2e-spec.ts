import { Module } from '@nestjs/common';
import { calendarSettings } from '../src/calendar/calendar-settings.js';
import { Hooks } from '../src/common/hooks/hooks.js';
import { StartError } from '../src/database/start-error.js';
import { makeContext } from '../src/http/request-context.js';
import { RequestTime } from '../src/http/request-time.js';
import type { Plugin } from '../src/plugins/plugin.js';
import type { DeclaredField, DeclaredFields } from '../src/resources/base/declared-field.js';
import { ResourceModule } from '../src/resources/base/resource.module.js';
import { postHooks } from '../src/resources/base/resource-hooks.js';
import { VENUE } from '../src/resources/venues/venue-type.js';
import { VenuesModule } from '../src/resources/venues/venues.module.js';
import { VenuesService } from '../src/resources/venues/venues.service.js';
import { startTestServer, type TestServer } from '../src/testing.js';
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

describe('a declared field of an existing record that a create returns', () => {
  let server: TestServer;
  let insertCount = 0;
  beforeAll(async () => {
    server = await startTestServer({ plugins: [SeatsModule] });
    server.app.get(Hooks).addAction(postHooks(VENUE).afterInsert, () => {
      insertCount++;
    });
  });
  afterAll(() => server?.close());

  const seatsOf = async (id: number) => (await server.get<Venue>(`${VENUES}/${id}`)).body.seats;

  it('is written only when the caller may edit the record', async () => {
    const { body: hall } = await server.asAdmin().post<Venue>(VENUES, { venue: 'Hall', seats: 100 });
    const settings = calendarSettings(await server.app.get(SettingsService).current());
    const base = { root: 'http://localhost:3000', namespace: 'cal/events/v1' };
    const context = makeContext(
      { id: 77, capabilities: new Set(['read', 'edit_tribe_venues']) },
      { settings, base, time: new RequestTime(Date.parse('2030-01-15T12:00:00Z')) },
      server.app.get(ContentTypes, { strict: false }),
    );
    const sent = { venue: 'Hall', seats: 1 };
    const found = await server.app.get(VenuesService, { strict: false }).create(sent, context);
    expect(found).toMatchObject({ id: hall.id, seats: 100 });
    expect([await seatsOf(hall.id), insertCount]).toEqual([100, 1]);

    await server.asAdmin().post(VENUES, { venue: 'Hall', seats: 120 });
    expect([await seatsOf(hall.id), insertCount]).toEqual([120, 2]);
  });

  it('accepts null, as it is rendered, and stores nothing', async () => {
    const { body } = await server.asAdmin().post<Venue>(VENUES, { venue: 'Barn', seats: 40 });
    const cleared = await server.asAdmin().put<Venue>(`${VENUES}/${body.id}`, { seats: null });
    expect([cleared.status, cleared.body.seats, await seatsOf(body.id)]).toEqual([200, null, null]);
    const repeated = await server.asAdmin().put<Venue>(`${VENUES}/${body.id}`, { seats: null });
    expect([repeated.status, repeated.body.seats]).toEqual([200, null]);
    const { body: document } = await server.get('/openapi.json');
    expect(JSON.stringify(document)).toContain('"seats":{"type":["integer","null"]');
  });
});

describe('an invalid field declaration prevents the start', () => {
  const text = { meta: '_stage', description: 'Where the stage is.' };
  const invalid = (field: object) => field as DeclaredField;

  it.each([
    [{ stage: text, place: text }, 'place cannot be declared: _stage already stores stage'],
    [{ venue: text }, 'venue cannot be declared: the venue already has a member of that name'],
    [
      { 'the stage': text },
      'the stage cannot be declared: a name begins with a small letter and holds letters, digits and _',
    ],
    [
      { constructor: text },
      'constructor cannot be declared: a name begins with a small letter and holds letters, digits and _',
    ],
    [{ stage: invalid({ description: 'Where.' }) }, 'stage cannot be declared: meta must name a meta key'],
    [{ stage: invalid({ meta: '_stage' }) }, 'stage cannot be declared: it has no description'],
    [
      { stage: invalid({ ...text, type: 'float' }) },
      'stage cannot be declared: type must be one of string, integer, number, boolean, date, enum, reference, object, list, not float',
    ],
    [
      { stage: invalid({ ...text, checks: ['short'] }) },
      'stage cannot be declared: checks must be a list of decorators',
    ],
    [{ stage: invalid({ ...text, filtre: true }) }, 'stage cannot be declared: the option filtre is unknown'],
    ...[
      '_EventStartDate',
      '_eventstartdate',
      '_VenueCity',
      '_OrganizerEmail',
      '_tribe_featured',
      '_thumbnail_id',
    ].map((meta): [DeclaredFields, string] => [
      { stage: { ...text, meta } },
      `stage cannot be declared: ${meta} is a key that the calendar or WordPress writes itself`,
    ]),
    ...['_EventStartDate ', ' _stage', '_ÉventStartDate', `_${'x'.repeat(255)}`].map(
      (meta): [DeclaredFields, string] => [
        { stage: { ...text, meta } },
        'stage cannot be declared: meta must be 1 to 255 characters of ASCII without blanks around them',
      ],
    ),
    [
      { stage: text, place: { ...text, meta: '_STAGE' } },
      'place cannot be declared: _STAGE already stores stage',
    ],
    [{ stage: { ...text, filter: true } }, 'stage cannot be declared: filter needs a type'],
    [
      { stage: invalid({ ...text, readableBy: 5 }) },
      'stage cannot be declared: readableBy and writableBy must be names of capabilities',
    ],
  ])('with the expected message: %o', async (fields: DeclaredFields, message) => {
    const plugin = {
      module: class Odd {},
      imports: [VenuesModule, ResourceModule.withFields(VENUE, fields)],
    };
    await expect(startTestServer({ plugins: [plugin] })).rejects.toEqual(
      new StartError(`The field ${message}.`),
    );
  });

  it('as does a plugin that is no Nest module', async () => {
    const plugins = [class Fine {}, undefined as unknown as Plugin];
    await expect(startTestServer({ plugins })).rejects.toEqual(
      new StartError('The plugin at place 2 of those given is no Nest module nor dynamic module.'),
    );
  });
});
