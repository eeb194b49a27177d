import cluster from 'node:cluster';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { Environment } from '../config/env.js';
import { Database } from '../database/database.js';
import { isReadOnlyRefusal } from '../database/database-errors.js';
import { StartError } from '../database/start-error.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { Clock } from '../wordpress/dates/clock.js';
import { Option } from '../wordpress/options/option.entity.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { DemoCalendar } from './demo-calendar.service.js';
import { homeMismatch } from './home-mismatch.js';
import { type NewSite, writeApplicationPassword, writeOptions, writeUser } from './new-site.js';

/**
 * Makes a site of a schema that holds none yet, in one transaction: options, roles, an administrator whose application
 * password is shown once; in the embedded database also a calendar full of events. A site that is there is not touched.
 */
@Injectable()
export class FirstStart implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger('Almanac');

  constructor(
    private readonly env: Environment,
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly settings: SettingsService,
    private readonly clock: Clock,
    private readonly demo: DemoCalendar,
  ) {}

  async onModuleInit(): Promise<void> {
    // Whatever the log level: nobody can read it anywhere else. Before the commit: a start that is cut off then is told another one.
    const tell = (password: string) =>
      console.log(`Log in as "admin" with the application password "${password}". It is not shown again.`);
    if ((await this.makeSite(this.isDemo(), tell)) !== undefined)
      this.logger.log('The database was empty: made a new site.');
  }

  /** Says what is odd about the site, once: not again in each worker. */
  async onApplicationBootstrap(): Promise<void> {
    if (cluster.isWorker) return;
    const { links } = await this.settings.current();
    const mismatch = homeMismatch(this.env.restBaseUrl, links.home);
    if (mismatch !== undefined) this.logger.warn(mismatch);
  }

  /** Makes the site, if there is none, and returns the administrator's password; `tell` hears it before it is valid. */
  async makeSite(
    demo: boolean,
    tell: (password: string) => void = () => undefined,
  ): Promise<string | undefined> {
    if (await this.database.source.manager.exists(Option)) return undefined;
    if (this.env.readOnly)
      throw new StartError('The database holds no site yet, and READ_ONLY keeps one from being made.');
    try {
      return await this.transactions.run(
        (transaction) => this.make(transaction, demo, tell),
        this.clock.now(),
      );
    } catch (error) {
      if (!isReadOnlyRefusal(error)) throw error;
      throw new StartError(
        'The database holds the tables of a site and nothing in them, and its user may not write: grant INSERT, UPDATE and DELETE.',
      );
    } finally {
      // What was read while another process was making it is not true any more.
      this.settings.forget();
    }
  }

  /** The administrator's password; undefined when another process was faster. */
  private async make(
    transaction: Transaction,
    demo: boolean,
    tell: (password: string) => void,
  ): Promise<string | undefined> {
    const { manager } = transaction;
    // Another process may have been faster; the turn to write has an option of its own.
    transaction.isVain = await manager.existsBy(Option, { name: 'siteurl' });
    if (transaction.isVain) return undefined;
    const site = this.newSite(demo);
    await writeOptions(manager, site);
    const admin = { login: 'admin', name: 'admin', role: 'administrator', level: 10 };
    const adminId = await writeUser(manager, admin, site);
    if (demo) await this.demo.fill(transaction, site);
    const password = await writeApplicationPassword(manager, adminId, site.now);
    tell(password);
    return password;
  }

  private newSite(demo: boolean): NewSite {
    const { restBaseUrl, tablePrefix } = this.env;
    const common = { home: new URL(restBaseUrl).origin, tablePrefix, now: this.clock.now() };
    return demo
      ? { ...common, name: 'Almanac Demo', zone: 'Europe/Berlin', currency: { symbol: '€', code: 'EUR' } }
      : { ...common, name: 'Calendar', zone: '', currency: { symbol: '$', code: 'USD' } };
  }

  private isDemo(): boolean {
    return this.env.database.kind === 'sqlite' && this.env.database.demo;
  }
}
