import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Environment } from '../../config/env.js';
import { TableVersions } from '../../database/table-versions.service.js';
import { Database } from '../../database/database.js';
import { Hooks } from '../../common/hooks/hooks.js';
import type { SerializedJson } from '../../http/serialized-json.js';
import { serializeJson, phpJson } from '../../http/php-json.js';
import type { RequestContext } from '../../http/request-context.js';
import { Metrics } from '../../observability/metrics/metrics.service.js';
import type { SiteSettings } from '../../wordpress/options/site-settings.js';
import { rowChecksums } from './row-checksums.query.js';
import {
  type Basis,
  type FoundText,
  listed,
  type PreparedText,
  DiskRecordStore,
} from './disk-record-store.service.js';
import { isTimely } from '../../http/response-cache/cached-response.js';

interface Kept {
  /** None where it depends on what is rendered before it. */
  text?: SerializedJson;
  content: number;
  /** Of the tables that no fingerprint tells of. */
  others: number;
  settings: SiteSettings;
  /** As of `Basis`. */
  from?: number;
  until: number;
  /** All that it was made of, but for settings and terms; undefined where it may be more. */
  posts?: readonly number[];
  /** Their fingerprints, once it was asked for after something had changed. */
  print?: string;
}

/** What fingerprints tell of, and what records are not made of. */
const COMPARED = [
  'posts',
  'postmeta',
  'term_relationships',
  'term_taxonomy',
  'terms',
  'termmeta',
  'tec_events',
  'tec_occurrences',
] as const;

/** Bytes that a text takes besides its own. */
const OVERHEAD = 400;
/** Posts that a record may be made of for them to be compared. */
const MANY = 50;
/** Characters of a record that is prepared: a page of them is read at once. */
export const MAX_LENGTH = 100_000;
/** The share of memory that is room enough; beyond that one of so many texts that the disk has is put there. */
const ROOM = 0.9;
const SELDOM = 16;
/** Fingerprints that are kept for as long as nothing changes. */
const PRINTS = 20_000;
/** What may make a record depend on more than its posts. */
const ANYTHING = /^rest_(prepare_.+|.+_query)$/;

/** Where the texts of one list are looked up, and put. */
export interface RecordCacheView {
  /**
   * The texts that are known, by id; where something has changed since, the rows that they were made of are compared. None where
   * one of the records is known to depend on what is rendered before it: to that end all are rendered.
   */
  getMany(ids: readonly number[]): Promise<ReadonlyMap<number, SerializedJson>>;
  /**
   * For as long as the context says, by then, that the present makes no difference. `posts`: the ids of all posts that it was made
   * of, whether or not they exist; undefined where it may be more.
   */
  set(id: number, record: unknown, posts: readonly number[] | undefined): Promise<SerializedJson>;
  /** Notes that a record depends on what is rendered before it. */
  markUncacheable(id: number): void;
  /** Whether fingerprints were asked for: what was read before may be older than they are. */
  hasCompared(): boolean;
}

/** A record as it was made, and the ids of all posts that it was made of; undefined where there may be more. */
export interface RenderedRecord {
  record: unknown;
  posts?: readonly number[];
}

/** What is known as a list or a record is asked for; without versions nothing may be kept. */
interface Known extends Basis {
  content: number;
}

/** Keeps records as the JSON that lists show of them to anybody, each until something changes. */
@Injectable()
export class RecordCache {
  private readonly kept: LRUCache<string, Kept>;
  /** Texts that the disk had. */
  private found = 0;
  /** Fingerprints that were read for the last version of the content. */
  private prints = new Map<number, string>();
  private printsOf = Number.NaN;

  constructor(
    env: Environment,
    private readonly changes: TableVersions,
    private readonly database: Database,
    private readonly hooks: Hooks,
    private readonly metrics: Metrics,
    private readonly prepared: DiskRecordStore,
  ) {
    const maxSize = Math.max(env.cache / 2, 1);
    const sizeCalculation = ({ text }: Kept, key: string) => (text?.json.length ?? 0) + key.length + OVERHEAD;
    this.kept = new LRUCache({ maxSize, maxEntrySize: Math.ceil(maxSize / 16), sizeCalculation });
  }

  /** The texts of records of a type for readers of this kind; asked before anything of the list is read. */
  async ofList(type: string, context: RequestContext): Promise<RecordCacheView> {
    const { settings, base, now, present } = context;
    const current = await this.known(context);
    let prints: Prints = new Map();
    const keyOf = (id: number) => `${base.namespace} ${type} ${id}`;
    const find = (id: number) => {
      const kept = this.kept.get(keyOf(id));
      return kept && kept.settings === settings && isTimely(kept, now) ? kept : undefined;
    };
    const known = async (ids: readonly number[]) => {
      const texts = new Map<number, SerializedJson>();
      const found = new Map<number, Kept>();
      for (const id of ids) {
        const kept = find(id);
        // What can not be compared may be there, comparable, among those that were prepared.
        if (kept && (!kept.text || kept.posts || kept.content === current?.content)) found.set(id, kept);
      }
      if (!current || [...found.values()].some(({ text }) => !text)) return texts;
      const missing = ids.filter((id) => !found.has(id));
      const prepared = this.arePrepared
        ? await this.prepared.find(missing, current, { now: current.content, form: 'listed' })
        : [];
      for (const one of prepared) found.set(one.id, keptOf(one, current));
      prints = (await this.compare([...found.values()], current)) ?? prints;
      for (const one of prepared) {
        const kept = found.get(one.id);
        if (kept && this.noted(one, kept, current) && this.mayStay()) this.kept.set(keyOf(one.id), kept);
      }
      for (const [id, { text, content, until }] of found)
        if (text && content === current.content) {
          present.until = Math.min(present.until, until);
          texts.set(id, text);
        }
      return texts;
    };
    return {
      // No getter: a literal that has one is of a new kind to V8 each time, and misses all that it learned.
      hasCompared: () => prints.size > 0,
      getMany: async (ids) => {
        const texts = await known(ids);
        this.metrics.countLookups('records', true, texts.size);
        this.metrics.countLookups('records', false, ids.length - texts.size);
        return texts;
      },
      markUncacheable: (id) => {
        if (!current) return;
        const { content, others } = current;
        this.kept.set(keyOf(id), { content, others, settings, until: Number.POSITIVE_INFINITY });
      },
      set: async (id, record, posts) => {
        const text = await serializeJson(record);
        const { until } = present;
        const made = this.comparable(posts);
        // What it was made of was read after its print: what changed in between shows at the next look.
        const print = printOf(made, prints);
        if (current) {
          const { content, others } = current;
          this.kept.set(keyOf(id), { text, settings, from: now, until, posts: made, content, others, print });
        }
        return text;
      },
    };
  }

  /** A record as it is answered alone to anybody, where that was prepared. */
  async alone(id: number, context: RequestContext): Promise<SerializedJson | undefined> {
    const current = this.arePrepared ? await this.known(context) : undefined;
    const [found] = current
      ? await this.prepared.find([id], current, { now: current.content, form: 'alone' })
      : [];
    if (!current || !found) return undefined;
    const kept = keptOf(found, current);
    await this.compare([kept], current);
    return this.noted(found, kept, current) ? kept.text : undefined;
  }

  /** Whether there is anything on disk that may be found. */
  get arePrepared(): boolean {
    return this.prepared.size > 0 && this.mayCompare;
  }

  /** Which of these records were not prepared yet; none where they can not be. */
  async unprepared(ids: readonly number[], context: RequestContext): Promise<number[]> {
    const current = this.prepared.isOn && this.mayCompare ? await this.known(context) : undefined;
    return current ? ids.filter((id) => !this.prepared.has(id, current)) : [];
  }

  /**
   * Makes records twice, first as lists show them and then alone, and keeps on disk those that are the same but for their structured
   * data; not those for which the present makes a difference. Says whether there is room for more.
   */
  async prepare(
    context: RequestContext,
    make: (jsonLd: boolean) => Promise<ReadonlyMap<number, RenderedRecord>>,
  ): Promise<boolean> {
    const current = await this.known(context);
    if (!current) return false;
    const inLists = await make(false);
    const posts = [...inLists.values()].flatMap((made) => this.comparable(made.posts) ?? []);
    if (posts.length === 0) return true;
    const prints = await rowChecksums(this.database, [...new Set(posts)]);
    const texts: PreparedText[] = [];
    // What these are made of is read after the prints: what changed in between shows at the next look.
    for (const [id, { record, posts: all }] of await make(true)) {
      const made = this.comparable(all);
      const print = printOf(made, prints);
      if (!made || print === undefined) continue;
      const { json: alone } = await serializeJson(record);
      if (alone.length > MAX_LENGTH) continue;
      const ranges = rangesOf(record, alone);
      const text = { id, content: current.content, posts: made, print, alone, ranges };
      const { json } = await serializeJson(inLists.get(id)?.record);
      if (listed(text) === json) texts.push(text);
    }
    return context.present.until === Number.POSITIVE_INFINITY ? this.prepared.add(texts, current) : true;
  }

  private async known({ settings, base }: RequestContext): Promise<Known | undefined> {
    const versions = await this.changes.snapshot();
    if (!versions) return undefined;
    const { contentVersion: content } = versions;
    return { settings, namespace: base.namespace, content, others: content - versions.version(...COMPARED) };
  }

  /**
   * Brings those that something has changed since up to what there is, where their fingerprints are the same; what these are for those
   * where they are not, as read just now: what is made of their rows after that can be compared with them.
   */
  private async compare(all: readonly Kept[], { content, others }: Known): Promise<Prints | undefined> {
    const old = all.filter((kept) => kept.content !== content && kept.others === others && kept.posts);
    if (old.length === 0) return undefined;
    const { prints, read } = await this.printsNow(postsOf(old), content);
    for (const kept of old)
      if (kept.print !== undefined && kept.print === printOf(kept.posts, prints)) kept.content = content;
    const again = postsOf(old.filter((kept) => kept.content !== content)).filter((id) => !read.has(id));
    for (const [id, print] of again.length > 0 ? await rowChecksums(this.database, again) : [])
      read.set(id, print);
    return read;
  }

  /** Fingerprints no older than a version of the content, as many records are shown with the same venue; and those of them that were read for this. */
  private async printsNow(ids: readonly number[], content: number) {
    if (this.printsOf !== content || this.prints.size > PRINTS) this.prints = new Map();
    this.printsOf = content;
    const { prints } = this;
    const unknown = ids.filter((id) => !prints.has(id));
    const read = unknown.length > 0 ? await rowChecksums(this.database, unknown) : new Map<number, string>();
    for (const [id, print] of read) prints.set(id, print);
    return { prints, read };
  }

  /** Notes what a comparison said of a record that was prepared: whether it is right. */
  private noted(found: FoundText, kept: Kept, { content }: Known): boolean {
    const isRight = kept.content === content;
    if (isRight) this.prepared.stillRight(found, content);
    else this.prepared.delete(found);
    return isRight;
  }

  /** Whether a text that the disk has should be in memory as well: where there is no room, those that are asked for often get there. */
  private mayStay(): boolean {
    this.found += 1;
    return this.kept.calculatedSize < this.kept.maxSize * ROOM || this.found % SELDOM === 0;
  }

  private get mayCompare(): boolean {
    return this.database.dialect === 'mysql' && !this.hooks.hasAny(ANYTHING);
  }

  private comparable(posts: readonly number[] = []): readonly number[] | undefined {
    return this.mayCompare && posts.length > 0 && posts.length <= MANY ? posts : undefined;
  }
}

type Prints = ReadonlyMap<number, string>;

const postsOf = (all: readonly Kept[]): number[] => [...new Set(all.flatMap(({ posts }) => posts ?? []))];

function printOf(posts: Kept['posts'] = [], prints: Prints): string | undefined {
  const all = posts.map((id) => prints.get(id));
  return posts.length > 0 && all.every((print) => print !== undefined) ? all.join(',') : undefined;
}

function keptOf({ text, content, dependencies }: FoundText, { settings, others }: Known): Kept {
  const until = Number.POSITIVE_INFINITY;
  return { text, content, others, settings, until, posts: dependencies?.posts, print: dependencies?.print };
}

const STRUCTURED = ',"json_ld":';

/** Where its structured data stand in the JSON of a record, its own and those of what is shown inside it. */
function rangesOf(record: unknown, json: string): PreparedText['ranges'] {
  let end = 0;
  return [...structuredData(record)].map((data) => {
    const text = STRUCTURED + phpJson(data);
    const from = json.indexOf(text, end);
    end = from + text.length;
    return [from, end];
  });
}

/** In the order of the text. */
function* structuredData(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    if (name !== 'json_ld') yield* structuredData(member);
    else if (member !== undefined) yield member;
}
