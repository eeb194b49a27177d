import { invalidParameter } from '../common/errors/rest-exception.js';
import type { WriteContext } from '../http/request-context.js';
import type { Services } from '../http/services.js';
import type { SiteCaller } from '../http/site-caller.js';
import { titleFor } from '../lib/ical/read-texts.js';
import { CreateEventDto, type EventFields, UpdateEventDto } from '../resources/events/event-write.dto.js';
import { EventSeries } from '../resources/events/recurrence/event-series.service.js';
import { MAX_RECURRENCE_CHARACTERS } from '../resources/events/recurrence/recurrence-input.js';
import { datesOf } from '../resources/events/stored-dates.js';
import { withCost, withTermNames } from './import-values.js';
import type { ImportedEvent } from './imported-event-index.js';
import type { ImportedEvents, ImportedFields, ImportMarks } from './imported-events.js';
import { type Exclusion, linesOf } from './recurring-fields.js';

type Fields = Readonly<Record<string, unknown>>;

/** Options of writing events. */
export interface WriteOptions {
  /** Whether nothing is written. */
  dryRun?: boolean;
  /** Status of new events, in place of the file's. */
  status?: string;
  /** Whether images in the file are downloaded. */
  images?: boolean;
  /** Whether events that recur stay one event. */
  keepsSeries: boolean;
  /** Why recurring events are not written. */
  seriesOff?: string;
  /** The digest of the address that the file comes from. */
  feed?: string;
  /** Those of the other feeds that are followed, whose events stay as they are. */
  otherFeeds?: ReadonlySet<string>;
}

/** Creates and updates the events of an import, as requests of its user would. */
export class ImportWrites {
  constructor(
    private readonly services: Services,
    private readonly events: ImportedEvents,
    private readonly caller: SiteCaller,
    private readonly input: WriteOptions,
  ) {}

  /** Creates an event, and leaves the date that it replaces out of another one; returns the id, or 0 in a dry run. */
  async create(values: Fields, marks: ImportMarks, line: number, exclusion?: Exclusion): Promise<number> {
    const context = await this.caller.context();
    const status = this.input.status ?? values['status'];
    const title = values['title'] ?? titleFor(values['description']);
    const raw = { ...values, title, ...(status !== undefined && { status }) };
    const fields = await this.read(CreateEventDto, raw, context, marks);
    if (exclusion) {
      const { whole, fields: rest, marks: ofWhole } = exclusion;
      fields.exclusion = { id: whole.id, fields: await this.read(UpdateEventDto, rest, context, ofWhole) };
    }
    if (!this.input.dryRun) return this.events.createEvent(fields, context, line);
    this.checkDates(fields, context);
    return 0;
  }

  /** Updates an event and returns its id. */
  async update(known: ImportedEvent, values: Fields, marks: ImportMarks, line: number): Promise<number> {
    const context = await this.caller.context();
    const { status = 'publish', ...rest } = values;
    const { status: requested } = this.input;
    // A requested status applies to new events only: users may have changed it since.
    const staysAsIs = requested !== undefined || values['status'] === undefined;
    const said = known.isWithdrawn ? { ...rest, status: requested ?? status } : staysAsIs ? rest : values;
    const fields = await this.read(UpdateEventDto, said, context, marks);
    if (this.input.dryRun) this.checkDates(fields, context);
    else await this.events.updateEvent(known.id, fields, context, line);
    return known.id;
  }

  /** Reads values as those of a request; how an event recurs is read from lines of a file already. */
  private async read<T extends EventFields>(
    dto: new () => T,
    { recurrence, ...values }: Fields,
    context: WriteContext,
    imported: ImportMarks,
  ): Promise<T & ImportedFields> {
    const fields = withCost(withTermNames(await this.caller.read(dto, values, context)), values);
    const lines = linesOf({ recurrence });
    if ((lines ?? []).join('\n').length > MAX_RECURRENCE_CHARACTERS)
      throw invalidParameter(
        'recurrence',
        `recurrence may hold at most ${MAX_RECURRENCE_CHARACTERS} characters.`,
      );
    return Object.assign(fields, { imported }, lines && { recurrence: lines });
  }

  /** Checks in a dry run that a write makes within its transaction. */
  private checkDates(fields: EventFields, context: WriteContext): void {
    if (fields.start_date === undefined) return;
    const dates = datesOf(fields, undefined, context);
    if (fields.recurrence?.length) this.services.get(EventSeries).plan(fields.recurrence, dates, context);
  }
}
