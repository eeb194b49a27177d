import { StartError } from '../database/start-error.js';
import type { Services } from '../http/services.js';
import { SiteCaller } from '../http/site-caller.js';
import { EVENT } from '../resources/events/event-type.js';
import { EventSeries } from '../resources/events/recurrence/event-series.service.js';
import type { FileRecord, ImportedRecord, ReadOptions } from './file-record.js';
import type { WriteOptions } from './import-writes.js';
import { Importer } from './importer.js';

/** Options of an import. */
export interface ImportOptions extends Omit<WriteOptions, 'keepsSeries' | 'seriesOff'> {
  /** Login of the importing user. */
  as: string;
  /** Whether dates of recurring events become events of their own. */
  singleEvents?: boolean;
  /** Maximum events from a recurring one, which implies `singleEvents`. */
  occurrences?: number;
  note?: (line: string) => void;
  /** Whether most of the events that a feed has no more are withdrawn, too. */
  withdraw?: boolean;
}

/** Maximum events from a recurring one, where nothing else is said. */
export const SINGLE_EVENTS = 50;
/** Up to so many events are withdrawn that a feed has no more, without a look at how many it has. */
const MAX_GONE = 10;
/** Maximum events per transaction. */
const MAX_GROUP = 100;
/** Maximum milliseconds for which a transaction may hold the write lock. */
const MAX_GROUP_TIME = 1000;

/**
 * Imports the records of a file in batches, one transaction each, with the checks and rights of a request by that user;
 * markup is always cleaned. Events of an earlier import are recognized by id and updated only if the file changed.
 * Yields the result of each record; a `StartError` ends it.
 */
export async function* importEvents(
  services: Services,
  input: ImportOptions,
  read: (options: ReadOptions) => AsyncIterable<FileRecord>,
): AsyncGenerator<ImportedRecord> {
  const caller = await SiteCaller.of(services, input.as, { isFiltered: true });
  const context = await caller.context();
  if (!context.access.canOfType('edit', EVENT.type))
    throw new StartError(`"${input.as}" may not create events.`);
  const { note = () => undefined } = input;
  const isSingle = input.singleEvents === true || input.occurrences !== undefined;
  const seriesOff = isSingle ? undefined : await services.get(EventSeries).reasonOff(context.now);
  const keepsSeries = !isSingle && seriesOff === undefined;
  const importer = await Importer.of(services, caller, {
    ...input,
    keepsSeries,
    ...(seriesOff !== undefined && { seriesOff }),
  });
  const limit = input.occurrences ?? SINGLE_EVENTS;
  const options = { zone: context.settings.zone, occurrences: keepsSeries ? undefined : limit, note };
  const uids = new Set<string>();
  let hasNoted = false;
  let group: FileRecord[] = [];
  let size = 1;
  const write = async () => {
    const [records, begun] = [group, Date.now()];
    group = [];
    const done = await importer.takeAll(records);
    // An image that several events share is found only after the first event was committed.
    const isSlow = input.images || Date.now() - begun > MAX_GROUP_TIME;
    size = isSlow ? 1 : Math.min(size * 2, MAX_GROUP);
    return done;
  };
  try {
    for await (const record of read(options)) {
      if (record.uid !== undefined) uids.add(record.uid);
      if (seriesOff && record.series && !hasNoted) {
        hasNoted = true;
        note(`Of events that recur the first ${limit} dates become events of their own: ${seriesOff}`);
      }
      if (mustSeeResultsOf(group, record)) yield* await write();
      group.push(record);
      if (group.length >= size) yield* await write();
    }
  } catch (error) {
    if (error instanceof StartError) yield* await write();
    throw error;
  }
  yield* await write();
  yield* importer.withdrawMissing();
  if (input.feed !== undefined) yield* withdrawVanished(importer, input, uids);
}

/** Withdraws the coming events that a feed has no more, unless it looks broken: it is empty, or most of them are gone. */
async function* withdrawVanished(
  importer: Importer,
  { feed = '', withdraw, note }: ImportOptions,
  uids: ReadonlySet<string>,
): AsyncGenerator<ImportedRecord> {
  const { gone, upcoming } = await importer.vanished(feed, uids);
  const isBroken = uids.size === 0 || (gone.length > MAX_GONE && gone.length * 2 > upcoming);
  if (gone.length > 0 && isBroken && !withdraw)
    note?.(
      `The feed has ${gone.length} of ${upcoming} coming events no more. They stay: --withdraw withdraws them.`,
    );
  else for (const one of gone) yield await importer.withdraw(one);
}

/** Whether a record needs the results of earlier ones: of its id, of its series, or of a cancellation. */
function mustSeeResultsOf(group: readonly FileRecord[], { cancelled, event }: FileRecord): boolean {
  if (cancelled) return true;
  if (!event) return false;
  const { uid, seriesUid, aliases } = event;
  return group.some(
    (one) =>
      one.cancelled ||
      (one.event &&
        ([uid, seriesUid].includes(one.event.uid) ||
          // Each leaves a date out of the same stored event.
          (aliases && one.event.aliases && one.event.seriesUid === seriesUid))),
  );
}
