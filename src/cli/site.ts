import type { INestApplicationContext } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CALENDAR_OPTION } from '../calendar/calendar-settings.js';
import { Environment } from '../config/env.js';
import { Database } from '../database/database.js';
import { StartError } from '../database/start-error.js';
import { Transactions } from '../database/transactions.js';
import { asMap, canWriteBack, unserialize } from '../lib/wordpress-text/php-serialize.js';
import { Resources } from '../resources/base/resources.js';
import { Option } from '../wordpress/options/option.entity.js';
import { OptionWriter } from '../wordpress/options/option-writer.js';
import { readOptions } from '../wordpress/options/read-options.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { SITE_KEYS, type SiteKey, type StoredOptions } from './site-keys.js';

/** First path segments of WordPress and of our own pages. */
const TAKEN_WORDS =
  'attachment author category comments embed feed page search wp wp-admin wp-content wp-includes wp-json assets docs editor livez readyz'.split(
    ' ',
  );

/** The options that hold the settings. */
const SHOWN_OPTIONS = [
  ...[CALENDAR_OPTION, 'blogname', 'blogdescription', 'home', 'siteurl', 'admin_email', 'timezone_string'],
  ...['gmt_offset', 'WPLANG', 'date_format', 'time_format', 'start_of_week', 'permalink_structure'],
];

/** Shows and sets a site's name, addresses, time and currency settings; throws `StartError` for rejected values. */
export class SiteAdmin {
  private readonly database = this.app.get(Database);
  private readonly writer = this.app.get(OptionWriter);
  private readonly settings = this.app.get(SettingsService);

  constructor(private readonly app: INestApplicationContext) {}

  async show(name?: string) {
    const keys = name === undefined ? SITE_KEYS : [keyOf(name)];
    const stored = await this.stored();
    return keys.map((key) => ({ name: key.name, value: key.show(stored), stored: key.stored }));
  }

  /** Sets a value and everything that follows from it in one transaction; `after` is a hint if it has changed. */
  async set(name: string, value: string): Promise<{ before: string; now: string; after?: string }> {
    const key = keyOf(name);
    const written = key.write(value.trim());
    if (!written) throw new StartError(`"${value}" is not valid for ${name}, which takes ${key.takes}.`);
    if (key.begins !== undefined && (await this.takenWords(key.begins)).has(value.trim()))
      throw new StartError(`"${value}" is not valid for ${name}: other addresses of the site begin with it.`);
    return this.app.get(Transactions).run(async (transaction) => {
      const before = key.show(await this.stored(transaction.manager));
      if ('options' in written)
        for (const [option, text] of Object.entries(written.options))
          await this.writer.set(transaction, option, text, 'on');
      else {
        await this.checkCalendar(transaction.manager);
        const change = (map: Map<unknown, unknown>) => {
          for (const [part, text] of Object.entries(written.calendar)) map.set(part, text);
        };
        await this.writer.change(transaction, CALENDAR_OPTION, change, 'on');
      }
      const now = key.show(await this.stored(transaction.manager));
      if (now === before) return { before, now };
      if (key.movesPages) await transaction.manager.update(Option, { name: 'rewrite_rules' }, { value: '' });
      transaction.afterCommit(() => this.settings.forget());
      const after = typeof key.after === 'function' ? key.after(value.trim()) : key.after;
      return { before, now, ...(after !== undefined && { after }) };
    });
  }

  /** First path segments that other resources and pages use. */
  private async takenWords(path: string): Promise<Set<string>> {
    const site = await this.settings.current();
    const others = this.app
      .get(Resources)
      .all()
      .filter((one) => one.path !== path);
    const bases = others.map((one) => {
      const { linkBase } = one.kind === 'post' ? { linkBase: one.type, ...one } : one;
      return typeof linkBase === 'string' ? linkBase : linkBase(site);
    });
    const { pathPrefix, apiNamespaces } = this.app.get(Environment);
    const paths = [...bases, ...(pathPrefix === '' ? apiNamespaces : [pathPrefix])];
    return new Set([...TAKEN_WORDS, ...paths.map((path) => path.replace(/^\/+/, '').split('/', 1).join())]);
  }

  private async stored(manager = this.database.source.manager): Promise<StoredOptions> {
    const options = await readOptions(this.database, SHOWN_OPTIONS, manager);
    const calendar = asMap(unserialize(options.get(CALENDAR_OPTION) ?? ''));
    return { option: (name) => options.get(name) ?? '', calendar: (name) => calendar.get(name) };
  }

  private async checkCalendar(manager: EntityManager): Promise<void> {
    const option = await manager.findOneBy(Option, { name: CALENDAR_OPTION });
    if (option && !(canWriteBack(option.value) && unserialize(option.value) instanceof Map))
      throw new StartError(
        `The option ${CALENDAR_OPTION} cannot be read and written back without loss: it is left as it is.`,
      );
  }
}

function keyOf(name: string): SiteKey {
  const key = SITE_KEYS.find((one) => one.name === name);
  if (!key)
    throw new StartError(
      `There is no setting "${name}". There are: ${SITE_KEYS.map((one) => one.name).join(', ')}.`,
    );
  return key;
}
