import { createReadStream, truncateSync } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import {
  type Answer,
  type Ask,
  isObject,
  isRecord,
  type JsonRecord,
  MAX_RECORDS,
  partsOf,
} from './answer.js';

/** How many records of each kind filters are made of. */
const SAMPLE = 4;

/** How many pages of a list are walked at most: a million records. */
const MAX_PAGES = 20_000;

/** What single requests need to know of a record. */
export interface SeenRecord {
  list: string;
  id: number;
  slug: string;
  /** The day it begins, of events. */
  day: string;
}

/** What filters are made of. */
export interface SampleRecord extends SeenRecord {
  /** A word of its name. */
  word: string;
}

/** What a walk remembers, apart from the records themselves. */
export interface SeenState {
  pages: Record<string, number>;
  counts: Record<string, number>;
  samples: Record<string, SampleRecord[]>;
  /** On which page a list ended, or showed nothing but what other pages had shown. */
  ends: Record<string, number>;
  /** How long the file of records is, in bytes. */
  bytes: number;
}

/** What the old server's lists held: numbers and a few samples in memory, all records in a file. */
export class Seen {
  /** Of each list, which ids it has shown. */
  private readonly ids: Record<string, Set<number>> = {};

  constructor(
    private readonly file: string,
    readonly state: SeenState = { pages: {}, counts: {}, samples: {}, ends: {}, bytes: 0 },
  ) {}

  /** Begins with an empty file, or goes on with what it held when the state was written. */
  async open(): Promise<void> {
    if (this.state.bytes === 0) return rm(this.file, { force: true });
    truncateSync(this.file, this.state.bytes);
    for await (const { list, id } of this.records()) this.idsOf(list).add(id);
  }

  /** Forgets the file, at the end. */
  async close(): Promise<void> {
    await rm(this.file, { force: true });
  }

  /** How many pages a list has, as far as is known. */
  pagesOf(list: string): number {
    return this.state.pages[list] ?? 1;
  }

  /** Whether a list is known to have ended on that page, or on one before. */
  isOver(list: string, page: number): boolean {
    return (this.state.ends[list] ?? Number.POSITIVE_INFINITY) <= page;
  }

  /** Some records of a list. */
  sample(list: string): readonly SampleRecord[] {
    return this.state.samples[list] ?? [];
  }

  /** Remembers what a page of a whole list holds. */
  async note({ list, path }: Ask, { status, json }: Answer): Promise<void> {
    if (list === undefined || !isObject(json)) return;
    const { [list]: items, total_pages: pages } = json;
    const ids = this.idsOf(list);
    // Those that another page has shown are known.
    const shown = Array.isArray(items) && items.length <= MAX_RECORDS ? items.filter(isRecord) : [];
    const records = shown.filter(({ id }) => Number.isSafeInteger(id) && !ids.has(Number(id)));
    for (const { id } of records) ids.add(Number(id));
    const page = Number(partsOf(path).query.get('page') ?? 1);
    if (records.length === 0 && [200, 400, 404].includes(status))
      this.state.ends[list] = Math.min(page, this.state.ends[list] ?? page);
    // A list that ends early has no further pages, whatever it says.
    if (records.length > 0 && Number.isSafeInteger(pages))
      this.state.pages[list] ??= Math.min(Math.max(1, Number(pages)), MAX_PAGES);
    this.state.samples[list] ??= [];
    const samples = this.state.samples[list];
    let text = '';
    for (const record of records) {
      const seen = seenRecord(list, record);
      if (samples.length < SAMPLE) samples.push({ ...seen, word: wordOf(record) });
      text += `${JSON.stringify(seen)}\n`;
    }
    this.state.counts[list] = (this.state.counts[list] ?? 0) + records.length;
    this.state.bytes += Buffer.byteLength(text);
    if (text !== '') await appendFile(this.file, text, { mode: 0o600 });
  }

  private idsOf(list: string): Set<number> {
    this.ids[list] ??= new Set();
    return this.ids[list];
  }

  /** All records, or `sample` of each kind, evenly spread. */
  async *records(sample = Number.POSITIVE_INFINITY): AsyncGenerator<SeenRecord> {
    if (this.state.bytes === 0) return;
    const at: Record<string, number> = {};
    for await (const line of createInterface({ input: createReadStream(this.file) })) {
      const record = JSON.parse(line) as SeenRecord;
      const position = at[record.list] ?? 0;
      at[record.list] = position + 1;
      const share = Math.min(1, sample / (this.state.counts[record.list] ?? 1));
      if (Math.floor((position + 1) * share) > Math.floor(position * share)) yield record;
    }
  }
}

function seenRecord(list: string, record: JsonRecord): SeenRecord {
  const slug = typeof record['slug'] === 'string' && record['slug'].length <= 600 ? record['slug'] : '';
  return { list, id: Number(record.id), slug, day: dayOf(record) };
}

function dayOf(record: JsonRecord): string {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(`${record['start_date']}`) ?? ['2030-01-01'];
  return day;
}

/** A word that a search may look for: the first longer one of plain letters in the record's name. */
function wordOf(record: JsonRecord): string {
  const name = record['title'] ?? record['venue'] ?? record['organizer'] ?? record['name'];
  const [word] = /(?<![&#\p{L}])\p{L}{4,40}(?![;\p{L}])/u.exec(`${name}`.slice(0, 500)) ?? ['concert'];
  return word;
}
