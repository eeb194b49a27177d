import { Injectable } from '@nestjs/common';
import type { CalendarSettings } from '../calendar/calendar-settings.js';
import { Database } from '../database/database.js';
import type { RequestContext } from '../http/request-context.js';
import { grouped } from '../lib/grouped.js';
import type { CalendarEntry } from '../lib/ical/calendar-entry.js';
import { hostOf } from '../resources/events/event-entry.js';
import type { EventJson } from '../resources/events/event-json.js';
import { eventUids, IMPORT_META } from '../resources/events/event-uids.js';
import { Occurrences } from '../resources/events/occurrences.service.js';
import { ORIGIN_META } from '../resources/events/recurrence/series-copy.service.js';
import { SERIES_META } from '../resources/events/recurrence/stored-lines.js';
import type { ListEntry } from '../wordpress/posts/list-order.js';
import { metaOf } from '../wordpress/posts/post-rows.js';
import { CalendarEntries } from './calendar-entries.service.js';
import { type SeriesPart, SeriesParts } from './series-parts.service.js';
import { type FileSeries, inUtc, StoredSeriesReader } from './stored-series.service.js';

/** Posts looked up at a time, and events loaded. */
const LOOKUP_SIZE = 1000;
const LOAD_SIZE = 50;
const KEYS = [SERIES_META.lines, ORIGIN_META.series, IMPORT_META.sequence];

/** An event of a calendar file: a single one, one date of several, a series, or what replaces a date of one. */
export interface FileEvent {
  /** As responses name it. */
  id: number;
  series?: FileSeries & { parts: readonly SeriesPart[] };
  replaces?: SeriesPart;
  /** Its `SEQUENCE` where it was imported from. */
  sequence?: number;
  /** The ids of the list that it stands for. */
  listed: ReadonlySet<number>;
}

/** Options of the events of a file. */
export interface FileOptions {
  /** The ids of dates that were requested one by one. */
  alone?: ReadonlySet<number>;
  /** Whether rules are written as they are stored, for Almanac to read. */
  isRaw?: boolean;
}

/** Loads events as lists show them; those that the reader may not see are missing. */
export type LoadEvents = (ids: readonly number[]) => Promise<readonly EventJson[]>;

/** Turns a list of events into events of a calendar file (docs/feeds.md#recurring-events). */
@Injectable()
export class FileEvents {
  constructor(
    private readonly database: Database,
    private readonly occurrences: Occurrences,
    private readonly stored: StoredSeriesReader,
    private readonly parts: SeriesParts,
    private readonly entries: CalendarEntries,
  ) {}

  /** The entries that ids of a list name. */
  async entriesOf(ids: readonly number[], { settings }: RequestContext): Promise<ListEntry[]> {
    const postOf = await this.occurrences.postOf(ids, settings);
    return ids.map((id) =>
      postOf(id) === id ? { id } : { id: postOf(id), row: id - settings.occurrenceBase },
    );
  }

  /** The events of a file in the order of a list: a series whose rule is known stands once, for all of its dates. */
  async of(
    list: readonly ListEntry[],
    context: RequestContext,
    options: FileOptions = {},
  ): Promise<FileEvent[]> {
    const { occurrenceBase: base } = context.settings;
    const named = list.map(({ id, row }) => ({ id: row === undefined ? id : base + row, postId: id }));
    const names = grouped(named.map(({ postId, id }) => [postId, id] as const));
    const found: Found = { names, sequences: new Map(), series: new Map(), parts: new Map() };
    const postIds = [...names.keys()];
    for (let at = 0; at < postIds.length; at += LOOKUP_SIZE)
      await this.look(postIds.slice(at, at + LOOKUP_SIZE), found, context, options);
    return inOrder(named, found);
  }

  /** Looks up the rules of posts, and what replaces their dates. */
  private async look(
    postIds: readonly number[],
    { names, sequences, series, parts }: Found,
    context: RequestContext,
    { alone, isRaw }: FileOptions,
  ): Promise<void> {
    const meta = await metaOf(this.database, 'post', postIds, { keys: KEYS });
    const metaValue = (id: number, key: string) => meta.get(id)?.get(key)?.[0];
    const roots = [...meta.keys()].flatMap(
      (id) => Number(metaValue(id, ORIGIN_META.series)) || (metaValue(id, SERIES_META.lines) ? id : []),
    );
    for (const [id, part] of await this.parts.find([...new Set(roots)], context)) parts.set(id, part);
    for (const id of postIds) {
      const sequence = Number(metaValue(id, IMPORT_META.sequence));
      if (sequence > 0) sequences.set(id, sequence);
    }
    const hasSeveral = (id: number) => names.get(id)?.[0] !== id;
    const recurring = postIds.filter(
      (id) =>
        (hasSeveral(id) || metaValue(id, SERIES_META.lines)) &&
        !names.get(id)?.every((one) => alone?.has(one)),
    );
    const rules = await this.stored.find(recurring, context);
    for (const [id, one] of await this.stored.inFiles([...rules.values()], { isRaw })) series.set(id, one);
  }

  /** Loads events of a file and converts them, in order; those without a date are missing. */
  async read(
    events: readonly FileEvent[],
    load: LoadEvents,
    settings: CalendarSettings,
  ): Promise<CalendarEntry[]> {
    const named = events.flatMap(({ id, series, replaces }) => [
      id,
      ...(series?.parts ?? []).map((part) => part.id),
      ...(replaces ? [replaces.series.id] : []),
    ]);
    const ids = [...new Set(named)];
    const loaded = new Map<number, Loaded>();
    for (let at = 0; at < ids.length; at += LOAD_SIZE) {
      const some = await load(ids.slice(at, at + LOAD_SIZE));
      const json = new Map(some.map((event) => [event.id, event]));
      for (const entry of await this.entries.of(some, settings)) {
        const event = json.get(entry.id);
        if (event) loaded.set(entry.id, { event, entry });
      }
    }
    const replaced = events.flatMap(({ replaces }) => replaces?.series.id ?? []);
    const uidOf = await eventUids(this.database, replaced, hostOf(settings.links.home), (id) => id);
    return events.flatMap((event) => {
      const own = loaded.get(event.id);
      return own ? toEntry(event, own, loaded, uidOf) : [];
    });
  }
}

/** What was found of the posts of a list. */
interface Found {
  /** The ids of the list by their posts. */
  names: ReadonlyMap<number, readonly number[]>;
  sequences: Map<number, number>;
  series: Map<number, FileSeries>;
  parts: Map<number, SeriesPart>;
}

interface Loaded {
  event: EventJson;
  entry: CalendarEntry;
}

function inOrder(
  list: readonly { id: number; postId: number }[],
  { names, sequences, series, parts }: Found,
): FileEvent[] {
  const partsOf = grouped([...parts.values()].map((part) => [part.series.id, part] as const));
  const done = new Set<number>();
  return list.flatMap(({ id, postId }): FileEvent[] => {
    const [own, replaces] = [series.get(postId), parts.get(id)];
    // Its series brings it along.
    if (done.has(postId) || (replaces && series.has(replaces.series.id))) return [];
    const sequence = sequences.get(postId);
    const revision = sequence === undefined ? {} : { sequence };
    if (!own) return [{ id, listed: new Set([id]), ...revision, ...(replaces && { replaces }) }];
    done.add(postId);
    const ownParts = partsOf.get(postId) ?? [];
    const listed = [postId, ...ownParts.map((part) => part.id)].flatMap((one) => names.get(one) ?? []);
    return [{ id: postId, series: { ...own, parts: ownParts }, listed: new Set(listed), ...revision }];
  });
}

function toEntry(
  { series, replaces, sequence, listed }: FileEvent,
  { event, entry }: Loaded,
  loaded: ReadonlyMap<number, Loaded>,
  uidOf: (id: number) => string,
): CalendarEntry {
  const own = { ...entry, ...(sequence !== undefined && { sequence }) };
  // A reader who may not see the series does not learn of it.
  if (replaces && loaded.has(replaces.series.id)) {
    const { series, key } = replaces;
    return { ...own, uid: uidOf(series.id), replaces: { set: series.portable ?? inUtc(series.set), key } };
  }
  if (!series) return own;
  const { set, changed, parts } = series;
  const lengths = changed.map(({ key, row: { start, end, startUtc, endUtc } }) => ({
    key,
    entry: { ...own, start, end, utcStart: startUtc, utcEnd: endUtc },
  }));
  const others = parts.flatMap(({ id, key, isHidden }) => {
    const part = loaded.get(id);
    // Locked events do not say whether they are hidden.
    const isListed = part?.event.status === event.status && (event.hide_from_listings === true || !isHidden);
    const isShown = part && (listed.has(id) || isListed);
    return isShown ? [{ key, entry: part.entry }] : [];
  });
  const modifiedUtc = parts.reduce(
    (last, { modified }) => (modified > last ? modified : last),
    own.modifiedUtc,
  );
  return { ...own, modifiedUtc, series: { set, changes: [...lengths, ...others] } };
}
