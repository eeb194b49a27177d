import { Injectable, Logger } from '@nestjs/common';
import { Environment } from '../config/env.js';
import { Database } from '../database/database.js';
import { isReadOnlyException } from '../database/database-errors.js';
import { StartError } from '../database/start-error.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { asMap, type PhpArray, unserialize } from '../lib/wordpress-text/php-serialize.js';
import { Resources } from '../resources/base/resources.js';
import { OptionWriter } from '../wordpress/options/option-writer.js';
import { readOptions } from '../wordpress/options/read-options.js';
import { type Granted, grantsOf } from './grants.js';

/** The option with all grants by name and role; a text in place of the roles: revoked. */
const RECORD = 'almanac_grants';
const REVOKED = 'revoked';

interface RecordedGrant {
  name: string;
  isRevoked: boolean;
  roles: Readonly<Record<string, readonly string[]>>;
}

/** Adds the capabilities of plugins' resources to the site's roles, once: later changes by administrators stay. */
@Injectable()
export class GrantsService {
  private readonly logger = new Logger('Almanac');

  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly options: OptionWriter,
    private readonly resources: Resources,
    private readonly env: Environment,
  ) {}

  /** Adds grants that were neither granted nor revoked before. */
  async giveNew(): Promise<void> {
    const declared = grantsOf(this.resources.all());
    if (declared.length === 0) return;
    const recorded = new Set((await this.recorded()).map(({ name }) => name));
    const added = declared.filter(({ name }) => !recorded.has(name));
    if (added.length === 0) return;
    try {
      if (this.env.readOnly) throw new StartError('READ_ONLY');
      await this.transactions.run(async (transaction) => {
        for (const granted of added) await this.give(transaction, granted);
      });
    } catch (error) {
      if (!(error instanceof StartError) && !isReadOnlyException(error)) throw error;
      const names = added.map(({ name }) => name).join(', ');
      this.logger.warn(
        `The roles of the site cannot be written: the capabilities of ${names} are not granted yet.`,
      );
    }
  }

  async recorded(): Promise<RecordedGrant[]> {
    const stored = (await readOptions(this.database, [RECORD])).get(RECORD);
    return [...asMap(unserialize(stored ?? ''))].map(([name, roles]) => ({
      name: String(name),
      isRevoked: roles === REVOKED,
      roles: Object.fromEntries(
        [...asMap(roles)].map(([role, capabilities]) => [
          String(role),
          [...asMap(capabilities).values()].map(String),
        ]),
      ),
    }));
  }

  /** Removes a grant from the roles; later starts do not grant it again. */
  async revoke(name: string): Promise<RecordedGrant> {
    const grant = await this.grantOf(name);
    if (grant.isRevoked) throw new StartError(`${name} is revoked already.`);
    await this.transactions.run(async (transaction) => {
      const isWritten = await this.changeRoles(transaction, (capabilitiesOf) => {
        for (const [role, capabilities] of Object.entries(grant.roles))
          for (const capability of capabilities) capabilitiesOf(role)?.delete(capability);
      });
      if (!isWritten) throw new StartError('The roles of the site cannot be read: nothing was changed.');
      await this.options.change(transaction, RECORD, (record) => void record.set(name, REVOKED));
    });
    return grant;
  }

  /** Removes a revocation: the next start grants it again. */
  async restore(name: string): Promise<void> {
    const { isRevoked } = await this.grantOf(name);
    if (!isRevoked) throw new StartError(`${name} is not revoked.`);
    await this.transactions.run((transaction) =>
      this.options.change(transaction, RECORD, (record) => void record.delete(name)),
    );
  }

  private async grantOf(name: string): Promise<RecordedGrant> {
    const all = await this.recorded();
    const found = all.find((one) => one.name === name);
    if (found) return found;
    const names = all.map((one) => one.name).join(', ');
    throw new StartError(`Nothing was granted as ${name}${names ? `; there is ${names}` : ''}.`);
  }

  private async give(transaction: Transaction, { name, roles }: Granted): Promise<void> {
    const written: PhpArray = new Map();
    const missing: string[] = [];
    const give = (record: PhpArray) =>
      this.changeRoles(transaction, (capabilitiesOf) => {
        for (const [role, wanted] of roles) {
          const has = capabilitiesOf(role);
          if (!has) missing.push(role);
          const added = has ? wanted.filter((capability) => !has.has(capability)) : [];
          for (const capability of added) has?.set(capability, true);
          if (added.length > 0) written.set(role, new Map(added.map((capability, at) => [at, capability])));
        }
      }).then((isWritten) => {
        if (isWritten) record.set(name, written);
        else this.logger.warn(`The roles of the site cannot be read: ${name} is not granted.`);
      });
    // The row is locked before it is read, as another process may do the same.
    await this.options.change(transaction, RECORD, async (record) => {
      if (!record.has(name)) await give(record);
    });
    if (missing.length > 0)
      this.logger.warn(`${name} is not granted to ${missing.join(', ')}: the site has no such role.`);
  }

  /** Whether the roles could be read. */
  private async changeRoles(
    transaction: Transaction,
    change: (capabilitiesOf: (role: string) => PhpArray | undefined) => void,
  ): Promise<boolean> {
    let isRead = false;
    await this.options.change(transaction, `${this.database.tablePrefix}user_roles`, (roles) => {
      isRead = true;
      change((role) => {
        const capabilities = asMap(roles.get(role)).get('capabilities');
        return capabilities instanceof Map ? capabilities : undefined;
      });
    });
    return isRead;
  }
}
