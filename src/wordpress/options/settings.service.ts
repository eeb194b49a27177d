import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { VersionedCache } from '../../cache/versioned-cache.js';
import { Clock } from '../../common/clock.js';
import { runDetached } from '../../common/context/abort.js';
import { PerRequest } from '../../common/context/request-store.js';
import { Environment } from '../../config/env.js';
import { Database } from '../../database/database.js';
import { type TableSnapshot, TableVersions } from '../../database/table-versions.service.js';
import type { Transaction } from '../../database/transactions.js';
import { ContentTypes } from '../types/content-types.js';
import { readOptions } from './read-options.js';
import { optionNames, readSettings } from './read-settings.js';
import type { SiteSettings } from './site-settings.js';

/** How long settings are valid where changes cannot be detected, in milliseconds. */
const FRESH_FOR = 1000;

/** The site's settings, cached while the options are unchanged; at most a second old. */
@Injectable()
export class SettingsService {
  private readonly perRequest = new PerRequest<SiteSettings>();
  private readonly cache = new VersionedCache<'by version' | 'by time', SiteSettings>({
    tables: ['options'],
    maxSize: 2,
  });
  private period = { since: Number.NEGATIVE_INFINITY, version: 0 };
  private last?: { fingerprint: string; settings: SiteSettings };

  constructor(
    private readonly database: Database,
    private readonly versions: TableVersions,
    private readonly env: Environment,
    private readonly clock: Clock,
    private readonly types: ContentTypes,
  ) {}

  current(): Promise<SiteSettings> {
    return this.perRequest.get(async () => {
      const snapshot = await this.versions.snapshot();
      const key = snapshot ? 'by version' : 'by time';
      return this.cache.get(key, snapshot ?? this.timeSnapshot(), () => runDetached(() => this.read()));
    });
  }

  /** The settings as of the snapshot; undefined if they have to be read. */
  of(snapshot: TableSnapshot): SiteSettings | undefined {
    return this.cache.peek('by version', snapshot);
  }

  /** Has the settings read again, after an own write that changed an option. */
  forget(): void {
    this.cache.clear();
    this.perRequest.reset();
  }

  /** Settings as seen by a transaction, which may have changed options. */
  async within({ manager }: Transaction): Promise<SiteSettings> {
    return this.parse(await this.options(manager));
  }

  /** The same object as before if no option has changed. */
  private async read(): Promise<SiteSettings> {
    const options = await this.options();
    const fingerprint = JSON.stringify([...options]);
    if (this.last?.fingerprint !== fingerprint) this.last = { fingerprint, settings: this.parse(options) };
    return this.last.settings;
  }

  private options(manager?: EntityManager): Promise<Map<string, string>> {
    const names = optionNames(this.database.tablePrefix, this.types.options);
    return readOptions(this.database, names, manager);
  }

  private parse(options: ReadonlyMap<string, string>): SiteSettings {
    return readSettings(options, this.database.tablePrefix, this.env, this.types);
  }

  /** Stands for versions of tables where there are none: a new version each second. */
  private timeSnapshot(): TableSnapshot {
    const now = this.clock.now();
    // The clock may be set back.
    if (Math.abs(now - this.period.since) >= FRESH_FOR)
      this.period = { since: now, version: this.period.version + 1 };
    const { version } = this.period;
    return { contentVersion: version, version: () => version };
  }
}
