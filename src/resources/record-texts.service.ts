import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Environment } from '../config/env.js';
import { Changes } from '../database/changes.js';
import { Database } from '../database/database.js';
import { Hooks } from '../hooks/hooks.js';
import { JsonText } from '../http/json-text.js';
import { jsonTextOf, phpJsonPieces } from '../http/php-json.js';
import type { RequestContext } from '../http/request-context.js';
import { textOf } from '../http/written-text.js';
import { Metrics } from '../metrics/metrics.service.js';
import type { SiteSettings } from '../wordpress/options/site-settings.js';
import { printsOf } from '../wordpress/posts/post-prints.js';
import { type Basis, listed, type PreparedText, PreparedTexts } from './prepared-texts.service.js';

interface Kept {
  /** None where it depends on what is rendered before it. */
  text?: JsonText;
  content: number;
  /** Of the tables that no fingerprint tells of. */
  others: number;
  settings: SiteSettings;
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
/** What may make a record depend on more than its posts. */
const ANYTHING = /^rest_(prepare_.+|.+_query)$/;

/** Where the texts of one list are looked up, and put. */
export interface TextsOfList {
  /**
   * The texts that are known, by id; where something has changed since, the rows that they were made of are compared. None where
   * one of the records is known to depend on what is rendered before it: to that end all are rendered.
   */
  known(ids: readonly number[]): Promise<ReadonlyMap<number, JsonText>>;
  /**
   * For as long as the context says, by then, that the present makes no difference. `posts`: the ids of all posts that it was made
   * of, whether or not they exist; undefined where it may be more.
   */
  keep(id: number, record: unknown, posts: readonly number[] | undefined): Promise<JsonText>;
  /** Notes that a record depends on what is rendered before it. */
  leave(id: number): void;
  /** Whether fingerprints were asked for: what was read before may be older than they are. */
  hasCompared(): boolean;
}

/** A record as it was made, and the ids of all posts that it was made of; undefined where there may be more. */
export interface MadeRecord {
  record: unknown;
  posts?: readonly number[];
}

/** What is known as a list or a record is asked for; without versions nothing may be kept. */
interface Known extends Basis {
  content: number;
}

/** Keeps records as the JSON that lists show of them to anybody, each until something changes. */
@Injectable()
export class RecordTexts {
  private readonly kept: LRUCache<string, Kept>;

  constructor(
    env: Environment,
    private readonly changes: Changes,
    private readonly database: Database,
    private readonly hooks: Hooks,
    private readonly metrics: Metrics,
    private readonly prepared: PreparedTexts,
  ) {
    const maxSize = Math.max(env.cache / 2, 1);
    const sizeCalculation = ({ text }: Kept, key: string) => (text?.json.length ?? 0) + key.length + OVERHEAD;
    this.kept = new LRUCache({ maxSize, maxEntrySize: Math.ceil(maxSize / 16), sizeCalculation });
  }

  /** The texts of records of a type for readers of this kind; asked before anything of the list is read. */
  async ofList(type: string, context: RequestContext): Promise<TextsOfList> {
    const { settings, base, now, present } = context;
    const current = await this.known(context);
    let prints: Prints = new Map();
    const keyOf = (id: number) => `${base.namespace} ${type} ${id}`;
    const find = (id: number) => {
      const kept = this.kept.get(keyOf(id));
      return kept && kept.settings === settings && now < kept.until ? kept : undefined;
    };
    const known = async (ids: readonly number[]) => {
      const texts = new Map<number, JsonText>();
      const found = new Map<number, Kept>();
      for (const id of ids) {
        const kept = find(id);
        if (kept) found.set(id, kept);
      }
      if (!current || [...found.values()].some(({ text }) => !text)) return texts;
      const missing = ids.filter((id) => !found.has(id));
      const prepared = await this.prepared.find(missing, current);
      for (const one of prepared) found.set(one.id, { ...keptOf(one, current), text: listed(one) });
      prints = (await this.compare([...found.values()], current)) ?? prints;
      for (const { id } of prepared) {
        const kept = found.get(id);
        if (kept && this.noted(id, kept, current)) this.kept.set(keyOf(id), kept);
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
      known: async (ids) => {
        const texts = await known(ids);
        this.metrics.countLookups('records', true, texts.size);
        this.metrics.countLookups('records', false, ids.length - texts.size);
        return texts;
      },
      leave: (id) => {
        if (!current) return;
        const { content, others } = current;
        this.kept.set(keyOf(id), { content, others, settings, until: Number.POSITIVE_INFINITY });
      },
      keep: async (id, record, posts) => {
        const text = await jsonTextOf(record);
        const { until } = present;
        const made = this.comparable(posts);
        // What it was made of was read after its print: what changed in between shows at the next look.
        const print = printOf(made, prints);
        if (current) {
          const { content, others } = current;
          this.kept.set(keyOf(id), { text, settings, until, posts: made, content, others, print });
        }
        return text;
      },
    };
  }

  /** A record as it is answered alone to anybody, where that was prepared. */
  async alone(id: number, context: RequestContext): Promise<JsonText | undefined> {
    const current = this.arePrepared ? await this.known(context) : undefined;
    const [found] = current ? await this.prepared.find([id], current) : [];
    if (!current || !found) return undefined;
    const kept = keptOf(found, current);
    await this.compare([kept], current);
    return this.noted(id, kept, current) ? new JsonText(found.alone) : undefined;
  }

  /** Whether there is anything that `alone` may find. */
  get arePrepared(): boolean {
    return this.prepared.size > 0;
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
    make: (jsonLd: boolean) => Promise<ReadonlyMap<number, MadeRecord>>,
  ): Promise<boolean> {
    const current = await this.known(context);
    if (!current) return false;
    const inLists = await make(false);
    const posts = [...inLists.values()].flatMap((made) => this.comparable(made.posts) ?? []);
    if (posts.length === 0) return true;
    const prints = await printsOf(this.database, [...new Set(posts)]);
    const texts: PreparedText[] = [];
    // What these are made of is read after the prints: what changed in between shows at the next look.
    for (const [id, { record, posts: all }] of await make(true)) {
      const made = this.comparable(all);
      const print = printOf(made, prints);
      if (!made || print === undefined) continue;
      const text = { id, content: current.content, posts: made, print, ...(await cutText(record)) };
      const { json } = await jsonTextOf(inLists.get(id)?.record);
      if (listed(text).json === json) texts.push(text);
    }
    return context.present.until === Number.POSITIVE_INFINITY ? this.prepared.add(texts, current) : true;
  }

  private async known({ settings, base }: RequestContext): Promise<Known | undefined> {
    const versions = await this.changes.current();
    if (!versions) return undefined;
    const { content } = versions;
    return { settings, namespace: base.namespace, content, others: content - versions.of(...COMPARED) };
  }

  /** Brings those that something has changed since up to what there is, where their fingerprints are the same; what these are. */
  private async compare(all: readonly Kept[], { content, others }: Known): Promise<Prints | undefined> {
    const old = all.filter((kept) => kept.content !== content && kept.others === others && kept.posts);
    if (old.length === 0) return undefined;
    const prints = await printsOf(this.database, [...new Set(old.flatMap(({ posts }) => posts ?? []))]);
    for (const kept of old)
      if (kept.print !== undefined && kept.print === printOf(kept.posts, prints)) kept.content = content;
    return prints;
  }

  /** Notes what a comparison said of a record that was prepared: whether it is right. */
  private noted(id: number, kept: Kept, { content }: Known): boolean {
    const isRight = kept.content === content;
    if (isRight) this.prepared.stillRight(id, content);
    else this.prepared.delete(id);
    return isRight;
  }

  private get mayCompare(): boolean {
    return this.database.dialect === 'mysql' && !this.hooks.hasAny(ANYTHING);
  }

  private comparable(posts: readonly number[] = []): readonly number[] | undefined {
    return this.mayCompare && posts.length > 0 && posts.length <= MANY ? posts : undefined;
  }
}

type Prints = ReadonlyMap<number, string>;

function printOf(posts: Kept['posts'] = [], prints: Prints): string | undefined {
  const all = posts.map((id) => prints.get(id));
  return posts.length > 0 && all.every((print) => print !== undefined) ? all.join(',') : undefined;
}

const keptOf = (prepared: PreparedText, { settings, others }: Known): Kept => {
  const { content, posts, print } = prepared;
  return { text: undefined, content, others, settings, until: Number.POSITIVE_INFINITY, posts, print };
};

const STRUCTURED = ',"json_ld":';

/** The JSON of a record, and where its structured data stand, its own and those of what is shown inside it. */
async function cutText(record: unknown): Promise<Pick<PreparedText, 'alone' | 'cuts'>> {
  const cuts: [number, number][] = [];
  let alone = '';
  for (const piece of await phpJsonPieces(await structuredWritten(record))) {
    const from = alone.length - STRUCTURED.length;
    alone += textOf(piece);
    if (piece instanceof JsonText) cuts.push([from, alone.length]);
  }
  return { alone, cuts };
}

/** The same value, in which all structured data are texts. */
async function structuredWritten(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(structuredWritten));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(async ([name, member]) =>
    name === 'json_ld' && member !== undefined
      ? [name, await jsonTextOf(member)]
      : [name, await structuredWritten(member)],
  );
  return Object.fromEntries(await Promise.all(members));
}
