import { Injectable } from '@nestjs/common';
import sql, { join } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { Environment } from '../../config/env.js';
import { singleFlight, runDetached } from '../../common/context/abort.js';
import { TableVersions, type TableSnapshot } from '../../database/table-versions.service.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transactions.js';
import { Clock } from '../../common/clock.js';
import { ContentTypes } from '../types/content-types.js';
import { optionNames, readSettings } from './read-settings.js';
import type { SiteSettings } from './site-settings.js';

/** How long settings may be out of date where nothing tells of changes, in milliseconds. */
const FRESH_FOR = 1000;

interface OptionRow {
  name: string;
  value: string;
}

/** The site's settings, kept in memory and read again when the options have changed: at most a second late. */
@Injectable()
export class SettingsService {
  private settings?: SiteSettings;
  private readAt = Number.NEGATIVE_INFINITY;
  /** Of the options that they were read from; undefined where it is unknown. */
  private version?: number;
  /** With the version of the options that it began after. */
  private reading?: { version?: number; settings: Promise<SiteSettings> };
  private fingerprint = '';
  /** Moves on with each reading and each `forget`: what was read before is not kept. */
  private turn = 0;

  constructor(
    private readonly database: Database,
    private readonly changes: TableVersions,
    private readonly env: Environment,
    private readonly clock: Clock,
    private readonly types: ContentTypes,
  ) {}

  /** Settings at most a second old. */
  async current(): Promise<SiteSettings> {
    const versions = await this.changes.current();
    const known = versions ? this.of(versions) : this.unlessOld();
    if (known) return known;
    const version = versions?.of('options');
    return singleFlight(
      () => (this.reading?.version === version ? this.reading?.settings : undefined),
      () => this.begin(version),
    );
  }

  private begin(version: number | undefined): Promise<SiteSettings> {
    const settings = runDetached(() => this.read(version)).finally(() => {
      if (this.reading?.settings === settings) this.reading = undefined;
    });
    this.reading = { version, settings };
    return settings;
  }

  /** The settings as of these versions; undefined when they have to be read again. */
  of(versions: TableSnapshot): SiteSettings | undefined {
    return versions.of('options') === this.version ? this.settings : undefined;
  }

  /** Makes the next reader read again, after a write of ours that touched an option. */
  forget(): void {
    this.readAt = Number.NEGATIVE_INFINITY;
    this.version = undefined;
    this.reading = undefined;
    this.turn += 1;
  }

  /** Settings as a transaction sees them, which may have written options; nobody else gets them. */
  async within({ manager }: Transaction): Promise<SiteSettings> {
    return this.parsed(await this.rows(manager));
  }

  private unlessOld(): SiteSettings | undefined {
    return Math.abs(this.clock.now() - this.readAt) < FRESH_FOR ? this.settings : undefined;
  }

  private async read(version: number | undefined): Promise<SiteSettings> {
    const at = this.clock.now();
    this.turn += 1;
    const { turn } = this;
    const rows = await this.rows();
    if (turn !== this.turn) return this.parsed(rows);
    const fingerprint = JSON.stringify(rows);
    // Unserialising is skipped, and the same object stays, while nothing has changed.
    if (!this.settings || fingerprint !== this.fingerprint) {
      this.settings = this.parsed(rows);
      this.fingerprint = fingerprint;
    }
    this.readAt = at;
    this.version = version;
    return this.settings;
  }

  private rows(manager?: EntityManager): Promise<OptionRow[]> {
    const names = optionNames(this.database.tablePrefix, this.types.options);
    return this.database.query<OptionRow>(
      sql`SELECT option_name AS name, option_value AS value FROM ${this.database.table('options')}
          WHERE option_name IN (${join(names)}) ORDER BY option_name`,
      manager,
    );
  }

  private parsed(rows: readonly OptionRow[]): SiteSettings {
    const options = new Map(rows.map(({ name, value }) => [name, value]));
    return readSettings(options, this.database.tablePrefix, this.env, this.types);
  }
}
