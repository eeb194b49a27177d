import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Environment } from '../config/env.js';
import { Changes } from '../database/changes.js';
import { Database } from '../database/database.js';
import { Hooks } from '../hooks/hooks.js';
import type { JsonText } from '../http/json-text.js';
import { jsonTextOf } from '../http/php-json.js';
import { Metrics } from '../metrics/metrics.service.js';
import type { RequestContext } from '../http/request-context.js';
import type { SiteSettings } from '../wordpress/options/site-settings.js';
import { printsOf } from '../wordpress/posts/post-prints.js';

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
  ) {
    const maxSize = Math.max(env.cache / 2, 1);
    const sizeCalculation = ({ text }: Kept, key: string) => (text?.json.length ?? 0) + key.length + OVERHEAD;
    this.kept = new LRUCache({ maxSize, maxEntrySize: Math.ceil(maxSize / 16), sizeCalculation });
  }

  /** The texts of records of a type for readers of this kind; asked before anything of the list is read. */
  async ofList(type: string, { settings, base, now, present }: RequestContext): Promise<TextsOfList> {
    const versions = await this.changes.current();
    const content = versions?.content;
    const others = versions && versions.content - versions.of(...COMPARED);
    let prints: Prints = new Map();
    const keyOf = (id: number) => `${base.namespace} ${type} ${id}`;
    const find = (id: number) => {
      const kept = this.kept.get(keyOf(id));
      return kept && kept.settings === settings && now < kept.until ? kept : undefined;
    };
    const compare = async (all: readonly Kept[]) => {
      const old = all.filter((kept) => kept.content !== content && kept.others === others && kept.posts);
      if (old.length === 0) return;
      prints = await printsOf(this.database, [...new Set(old.flatMap(({ posts }) => posts ?? []))]);
      for (const kept of old)
        if (kept.print !== undefined && kept.print === printOf(kept.posts, prints))
          kept.content = content as number;
    };
    const known = async (ids: readonly number[]) => {
      const texts = new Map<number, JsonText>();
      const found = ids.flatMap((id) => {
        const kept = find(id);
        return kept ? [{ id, kept }] : [];
      });
      if (content === undefined || found.some(({ kept }) => !kept.text)) return texts;
      await compare(found.map(({ kept }) => kept));
      for (const { id, kept } of found)
        if (kept.text && kept.content === content) {
          present.until = Math.min(present.until, kept.until);
          texts.set(id, kept.text);
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
        if (content !== undefined && others !== undefined)
          this.kept.set(keyOf(id), { content, others, settings, until: Number.POSITIVE_INFINITY });
      },
      keep: async (id, record, posts) => {
        const text = await jsonTextOf(record);
        const { until } = present;
        const made = this.comparable(posts);
        // What it was made of was read after its print: what changed in between shows at the next look.
        const print = printOf(made, prints);
        if (content !== undefined && others !== undefined)
          this.kept.set(keyOf(id), { text, settings, until, posts: made, content, others, print });
        return text;
      },
    };
  }

  private comparable(posts: readonly number[] = []): readonly number[] | undefined {
    const may = this.database.dialect === 'mysql' && !this.hooks.hasAny(ANYTHING);
    return may && posts.length > 0 && posts.length <= MANY ? posts : undefined;
  }
}

type Prints = ReadonlyMap<number, string>;

function printOf(posts: Kept['posts'] = [], prints: Prints): string | undefined {
  const all = posts.map((id) => prints.get(id));
  return posts.length > 0 && all.every((print) => print !== undefined) ? all.join(',') : undefined;
}
