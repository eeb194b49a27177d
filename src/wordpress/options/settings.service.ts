import { Injectable } from '@nestjs/common';
import sql, { join } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { Environment } from '../../config/env.js';
import { workForAll } from '../../database/caller.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transactions.js';
import { Clock } from '../dates/clock.js';
import { ContentTypes } from '../types/content-types.js';
import { optionNames, readSettings, type SiteSettings } from './site-settings.js';

/** How long settings may be out of date, in milliseconds. */
const FRESH_FOR = 1000;

interface OptionRow {
  name: string;
  value: string;
}

/** The site's settings, kept in memory and read again when they are older than a second. */
@Injectable()
export class SettingsService {
  private settings?: SiteSettings;
  private readAt = Number.NEGATIVE_INFINITY;
  private reading?: Promise<SiteSettings>;
  private fingerprint = '';

  constructor(
    private readonly database: Database,
    private readonly env: Environment,
    private readonly clock: Clock,
    private readonly types: ContentTypes,
  ) {}

  /** Settings at most a second old. */
  async current(): Promise<SiteSettings> {
    if (this.settings && Math.abs(this.clock.now() - this.readAt) < FRESH_FOR) return this.settings;
    this.reading ??= workForAll(() => this.read()).finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  /** Makes the next reader read again, after a write of ours that touched an option. */
  forget(): void {
    this.readAt = Number.NEGATIVE_INFINITY;
  }

  /** Settings as a transaction sees them, which may have written options; nobody else gets them. */
  async within({ manager }: Transaction): Promise<SiteSettings> {
    return this.parsed(await this.rows(manager));
  }

  private async read(): Promise<SiteSettings> {
    const at = this.clock.now();
    const rows = await this.rows();
    const fingerprint = JSON.stringify(rows);
    // Unserialising is skipped, and the same object stays, while nothing has changed.
    if (!this.settings || fingerprint !== this.fingerprint) {
      this.settings = this.parsed(rows);
      this.fingerprint = fingerprint;
    }
    this.readAt = at;
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
