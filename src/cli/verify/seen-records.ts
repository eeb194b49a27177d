import { createReadStream, truncateSync } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import {
  type ComparedRequest,
  isObject,
  isRecord,
  type JsonRecord,
  MAX_LIST_LENGTH,
  type ParsedResponse,
  partsOf,
} from './parsed-response.js';

/** Sample records per kind for filters. */
const SAMPLE = 4;

/** Maximum pages per list: a million records. */
const MAX_PAGES = 20_000;

/** Data of a record for single requests. */
export interface SeenRecord {
  list: string;
  id: number;
  slug: string;
  /** Start day of an event. */
  day: string;
}

/** Data of a record for filters. */
interface SampleRecord extends SeenRecord {
  word: string;
}

/** State of a walk without the records. */
export interface SeenState {
  pages: Record<string, number>;
  counts: Record<string, number>;
  samples: Record<string, SampleRecord[]>;
  /** Last page of a list, or the first one without new records. */
  ends: Record<string, number>;
  /** Length of the file of records in bytes. */
  bytes: number;
}

/** The records in the old server's lists: counts and samples in memory, all records in a file. */
export class SeenRecords {
  private readonly ids: Record<string, Set<number>> = {};

  constructor(
    private readonly file: string,
    readonly state: SeenState = { pages: {}, counts: {}, samples: {}, ends: {}, bytes: 0 },
  ) {}

  /** Starts with an empty file, or truncates it to the saved state. */
  async open(): Promise<void> {
    if (this.state.bytes === 0) return rm(this.file, { force: true });
    truncateSync(this.file, this.state.bytes);
    for await (const { list, id } of this.records()) this.idsOf(list).add(id);
  }

  async close(): Promise<void> {
    await rm(this.file, { force: true });
  }

  /** Number of pages of a list, as far as known. */
  pagesOf(list: string): number {
    return this.state.pages[list] ?? 1;
  }

  /** Whether a list is known to end on or before that page. */
  isOver(list: string, page: number): boolean {
    return (this.state.ends[list] ?? Number.POSITIVE_INFINITY) <= page;
  }

  sample(list: string): readonly SampleRecord[] {
    return this.state.samples[list] ?? [];
  }

  /** Adds the records of a list page. */
  async note({ list, path }: ComparedRequest, { status, json }: ParsedResponse): Promise<void> {
    if (list === undefined || !isObject(json)) return;
    const { [list]: items, total_pages: pages } = json;
    const ids = this.idsOf(list);
    // Records of earlier pages are known already.
    const listed = Array.isArray(items) && items.length <= MAX_LIST_LENGTH ? items.filter(isRecord) : [];
    const records = listed.filter(({ id }) => Number.isSafeInteger(id) && !ids.has(Number(id)));
    for (const { id } of records) ids.add(Number(id));
    const page = Number(partsOf(path).query.get('page') ?? 1);
    if (records.length === 0 && [200, 400, 404].includes(status))
      this.state.ends[list] = Math.min(page, this.state.ends[list] ?? page);
    // A list that ends early has no further pages, whatever its total.
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

  /** Yields all records, or an even `sample` of each kind. */
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
  const [day] = /^\d{4}-\d\d-\d\d/.exec(`${record['start_date']}`) ?? ['2030-01-01'];
  return { list, id: Number(record.id), slug, day };
}

/** A search word from a record's name: its first longer one of plain letters. */
function wordOf(record: JsonRecord): string {
  const name = record['title'] ?? record['venue'] ?? record['organizer'] ?? record['name'];
  const [word] = /(?<![&#\p{L}])\p{L}{4,40}(?![;\p{L}])/u.exec(`${name}`.slice(0, 500)) ?? ['concert'];
  return word;
}
