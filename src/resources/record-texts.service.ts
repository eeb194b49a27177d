import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Environment } from '../config/env.js';
import { Changes } from '../database/changes.js';
import { JsonText } from '../http/json-text.js';
import { phpJsonPieces } from '../http/php-json.js';
import { Metrics } from '../metrics/metrics.service.js';
import type { RequestContext } from '../http/request-context.js';
import type { SiteSettings } from '../wordpress/options/site-settings.js';

interface Kept {
  text: JsonText;
  content: number;
  settings: SiteSettings;
  until: number;
}

/** Bytes that a text takes besides its own. */
const OVERHEAD = 200;

/** Where the texts of one list are looked up, and put. */
export interface TextsOfList {
  /** The texts of all these records; undefined unless every one is known. */
  all(ids: readonly number[]): JsonText[] | undefined;
  /** For as long as the context says, by then, that the present makes no difference. */
  keep(id: number, record: unknown): Promise<JsonText>;
}

/** Keeps records as the JSON that lists show of them to anybody, each until something changes. */
@Injectable()
export class RecordTexts {
  private readonly kept: LRUCache<string, Kept>;

  constructor(
    env: Environment,
    private readonly changes: Changes,
    private readonly metrics: Metrics,
  ) {
    const maxSize = Math.max(env.cache / 2, 1);
    const sizeCalculation = ({ text }: Kept, key: string) => text.json.length + key.length + OVERHEAD;
    this.kept = new LRUCache({ maxSize, maxEntrySize: Math.ceil(maxSize / 16), sizeCalculation });
  }

  /** The texts of records of a type for readers of this kind; asked before anything of the list is read. */
  async ofList(type: string, { settings, base, now, present }: RequestContext): Promise<TextsOfList> {
    const content = (await this.changes.current())?.content;
    const keyOf = (id: number) => `${base.namespace} ${type} ${id}`;
    const textOf = (id: number) => {
      const kept = this.kept.get(keyOf(id));
      const holds = kept && kept.content === content && kept.settings === settings && now < kept.until;
      if (!holds) return undefined;
      present.until = Math.min(present.until, kept.until);
      return kept.text;
    };
    return {
      all: (ids) => {
        const texts = ids.flatMap((id) => textOf(id) ?? []);
        const areKnown = texts.length === ids.length;
        this.metrics.countLookup('records', areKnown);
        return areKnown ? texts : undefined;
      },
      keep: async (id, record) => {
        const text = new JsonText((await phpJsonPieces(record)).join(''));
        if (content !== undefined)
          this.kept.set(keyOf(id), { text, content, settings, until: present.until });
        return text;
      },
    };
  }
}
