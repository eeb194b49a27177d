import { tmpdir } from 'node:os';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Environment } from '../config/env.js';
import { JsonText } from '../http/json-text.js';
import type { SiteSettings } from '../wordpress/options/site-settings.js';
import { roomIn, TextsOnDisk } from './texts-on-disk.js';

/** What all texts are made by besides the rows that fingerprints tell of: of others nothing is known. */
export interface Basis {
  settings: SiteSettings;
  namespace: string;
  /** Of the tables that no fingerprint tells of. */
  others: number;
}

/** A record as anybody is shown it. */
export interface PreparedText {
  id: number;
  /** The version of the content that it is known to be right for. */
  content: number;
  /** All posts that it was made of, and their fingerprints. */
  posts: readonly number[];
  print: string;
  /** Its JSON when it is answered alone. */
  alone: string;
  /** Which parts of that lists leave out: from where to where, one after the other. */
  cuts: readonly (readonly [from: number, to: number])[];
}

const LENGTH = 4;

/**
 * Keeps on disk what was made ready before anybody asked for it, far more than memory has room for
 * (docs/behaviour/caching.md#prepared-records).
 */
@Injectable()
export class PreparedTexts implements OnModuleDestroy {
  private basis?: Basis;
  private texts?: TextsOnDisk;
  private isOff: boolean;
  /** One thing is put there after the other. */
  private turn: Promise<unknown> = Promise.resolve();
  private readonly most: number;
  private readonly logger = new Logger('PreparedTexts');

  constructor(env: Environment) {
    this.most = env.cacheDisk / env.workers;
    this.isOff = env.cache === 0 || this.most === 0;
  }

  /** Whether any are there, or may be put there. */
  get isOn(): boolean {
    return !this.isOff;
  }

  get size(): number {
    return this.texts?.size ?? 0;
  }

  has(id: number, basis: Basis): boolean {
    return this.isOf(basis) && this.texts?.has(id) === true;
  }

  /** Those of these that are there, whatever has changed since. */
  async find(ids: readonly number[], basis: Basis): Promise<PreparedText[]> {
    const { texts } = this;
    if (!texts || texts.size === 0 || ids.length === 0 || !this.isOf(basis)) return [];
    return [...(await texts.get(ids))].map(([id, { version, bytes }]) => parsed(id, version, bytes));
  }

  /** Puts some there; says whether there is room for more. */
  async add(texts: readonly PreparedText[], basis: Basis): Promise<boolean> {
    const adding = this.turn.then(() => this.addNext(texts, basis));
    this.turn = adding;
    return adding;
  }

  /** A text is right for that version of the content as well. */
  stillRight(id: number, content: number): void {
    this.texts?.renew(id, content);
  }

  delete(id: number): void {
    this.texts?.delete(id);
  }

  async onModuleDestroy(): Promise<void> {
    this.isOff = true;
    await this.turn;
    await this.close();
  }

  private async addNext(texts: readonly PreparedText[], basis: Basis): Promise<boolean> {
    if (this.isOff) return false;
    try {
      if (!this.isOf(basis) || this.texts?.isWorn) await this.renew(basis);
      return (await this.texts?.add(texts.map(written))) ?? false;
    } catch (error) {
      this.logger.log(`Nothing is made ready before it is asked for: ${error instanceof Error ? error.message : error}`);
      this.isOff = true;
      await this.close();
      return false;
    }
  }

  private async close(): Promise<void> {
    const { texts } = this;
    this.texts = undefined;
    await texts?.close();
  }

  private isOf({ settings, namespace, others }: Basis): boolean {
    const { basis } = this;
    return basis?.settings === settings && basis.namespace === namespace && basis.others === others;
  }

  private async renew(basis: Basis): Promise<void> {
    await this.close();
    this.basis = basis;
    const folder = tmpdir();
    const room = await roomIn(folder);
    if (room === 0) throw new Error(`${folder} is full, or lies in memory`);
    this.texts = await TextsOnDisk.open(Math.min(this.most, room), folder);
  }
}

/** The JSON of a prepared record as lists show it. */
export function listed({ alone, cuts }: PreparedText): JsonText {
  let at = 0;
  let json = '';
  for (const [from, to] of cuts) {
    json += alone.slice(at, from);
    at = to;
  }
  return new JsonText(json + alone.slice(at));
}

/** The length of what is said of the text, that, and the text; all of it is ASCII. */
function written({ id, content, alone, ...about }: PreparedText) {
  const head = JSON.stringify(about);
  const bytes = Buffer.alloc(LENGTH + head.length + alone.length);
  bytes.writeUInt32LE(head.length);
  bytes.write(head, LENGTH, 'latin1');
  bytes.write(alone, LENGTH + head.length, 'latin1');
  return { id, version: content, bytes };
}

function parsed(id: number, content: number, bytes: Buffer): PreparedText {
  const end = LENGTH + bytes.readUInt32LE();
  const about = JSON.parse(bytes.toString('latin1', LENGTH, end)) as Pick<
    PreparedText,
    'posts' | 'print' | 'cuts'
  >;
  return { id, content, ...about, alone: bytes.toString('latin1', end) };
}
