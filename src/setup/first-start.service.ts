import cluster from 'node:cluster';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Environment } from '../config/env.js';
import { Database } from '../database/database.js';
import { isReadOnlyException } from '../database/database-errors.js';
import { isOwnMigration } from '../database/own-migrations.js';
import { FIRST_START, PluginMigrations } from '../database/plugin-migrations.js';
import { StartError } from '../database/start-error.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { Option } from '../wordpress/options/option.entity.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { checkHomeUrl } from './check-home-url.js';
import { DemoCalendar } from './demo-calendar.service.js';
import { DemoPictures } from './demo-pictures.service.js';
import { type NewSite, writeApplicationPassword, writeOptions, writeUser } from './new-site.js';

/**
 * Creates a site in an empty database in one transaction: options, roles and an administrator, whose application
 * password is printed once; the embedded database also gets the demo calendar. Then creates the tables of plugins. An
 * existing site is not changed.
 */
@Injectable()
export class FirstStart implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger('Almanac');
  private isDone = false;

  constructor(
    private readonly env: Environment,
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly settings: SettingsService,
    private readonly clock: Clock,
    private readonly demo: DemoCalendar,
    private readonly pictures: DemoPictures,
    private readonly migrations: PluginMigrations,
  ) {}

  private get isDemo(): boolean {
    const { database } = this.env;
    return database.kind === 'sqlite' && database.demo;
  }

  async onModuleInit(): Promise<void> {
    if (!this.isDone) await this.start();
  }

  /** Creates what is missing; `say` is called with the password and the names of plugin migrations. */
  async start({
    // Printed at any log level, as the password is shown nowhere else.
    tell = (line: string) => console.log(line),
    say = () => undefined,
  }: {
    tell?: (line: string) => void;
    say?: (name: string) => void;
  } = {}): Promise<void> {
    // Printed before the commit: after a crash the next start prints another one.
    const password = (clear: string) =>
      tell(`Log in as "admin" with the application password "${clear}". It is not shown again.`);
    if ((await this.makeSite(this.isDemo, password, say)) !== undefined)
      this.logger.log('The database was empty: made a new site.');
  }

  /** Warns about the site, only in the primary process. */
  async onApplicationBootstrap(): Promise<void> {
    if (cluster.isWorker) return;
    const { links } = await this.settings.current();
    const mismatch = checkHomeUrl(this.env.restBaseUrl, links.home);
    if (mismatch !== undefined) this.logger.warn(mismatch);
  }

  /** Creates the site if there is none, then plugins' tables; returns the administrator's password. */
  async makeSite(
    demo: boolean,
    tell: (password: string) => void = () => undefined,
    say: (name: string) => void = () => undefined,
  ): Promise<string | undefined> {
    const password = await this.makeRows(demo, tell);
    await this.makeTablesOfPlugins(say);
    this.isDone = true;
    return password;
  }

  /** On an existing site, `almanac migrate` runs pending migrations; in the embedded demo each start does. */
  private async makeTablesOfPlugins(say: (name: string) => void): Promise<void> {
    if (this.migrations.isEmpty) return;
    const { manager } = this.database.source;
    const isOwn = async () => this.isDemo || (await manager.existsBy(Option, { name: FIRST_START }));
    if (!this.env.readOnly && (await isOwn())) {
      await this.migrations.run((name) => {
        if (this.isDemo) this.logger.log(`Ran the migration ${name}.`);
        say(name);
      });
      await manager.delete(Option, { name: FIRST_START });
      return;
    }
    const pending = await this.migrations.pending();
    const names = pending.filter((name) => !isOwnMigration(name));
    if (names.length > 0)
      this.logger.warn(
        `Plugins wait for their tables (${names.join(', ')}): run "${this.migrations.command}".`,
      );
    else if (pending.length > 0)
      this.logger.warn(
        `Tables that the configuration asks for are missing (${pending.join(', ')}): run "${this.migrations.command}".`,
      );
  }

  private async makeRows(demo: boolean, tell: (password: string) => void): Promise<string | undefined> {
    if (await this.database.source.manager.exists(Option)) return undefined;
    if (this.env.readOnly)
      throw new StartError('The database holds no site yet, and READ_ONLY keeps one from being made.');
    try {
      return await this.transactions.run(
        (transaction) => this.make(transaction, demo, tell),
        this.clock.now(),
      );
    } catch (error) {
      if (!isReadOnlyException(error)) throw error;
      throw new StartError(
        'The database holds the tables of a site and nothing in them, and its user may not write: grant INSERT, UPDATE and DELETE.',
      );
    } finally {
      await this.pictures.release();
      // Settings read while another process created the site are stale.
      this.settings.forget();
    }
  }

  /** The administrator's password; undefined if another process was faster. */
  private async make(
    transaction: Transaction,
    demo: boolean,
    tell: (password: string) => void,
  ): Promise<string | undefined> {
    const { manager } = transaction;
    // Another process may have created the site before this one got the write lock.
    transaction.isNoop = await manager.existsBy(Option, { name: 'siteurl' });
    if (transaction.isNoop) return undefined;
    const site = this.newSite(demo);
    await writeOptions(manager, site);
    if (!this.migrations.isEmpty)
      await manager.insert(Option, { name: FIRST_START, value: '1', autoload: 'off' });
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
}
