import { Injectable } from '@nestjs/common';
import { RestException } from '../../common/errors/rest-exception.js';
import { Hooks } from '../../common/hooks/hooks.js';
import { Environment } from '../../config/env.js';
import type { Transaction } from '../../database/transactions.js';
import type { RequestContext, WriteContext } from '../../http/request-context.js';
import type { ContentKind } from './declared-field.js';
import { FieldsService } from './fields.service.js';
import { RelationsService } from './relations.service.js';
import { namedHooks } from './resource-hooks.js';

/** A record before a removal, a post or a term. */
type Row = { id: number; status?: string };

/** The input of a write; `fields` is absent from removals. */
interface Input<Context> {
  before?: Row;
  fields?: object;
  context: Context;
}

/** A created or updated record. */
interface Written {
  id: number;
  isNew: boolean;
  /** Set on a found record that the caller may not edit: nothing was written. */
  isUnchanged?: boolean;
  before?: Row;
  fields: object;
  context: WriteContext;
}

/** Runs the hooks of writes at their places, and stores declared fields. */
@Injectable()
export class WriteHooks {
  /** Time limit of one hook inside a transaction, in milliseconds: writers that wait for the lock wait twice as long. */
  private readonly limit: number;

  constructor(
    private readonly hooks: Hooks,
    private readonly declared: FieldsService,
    private readonly relations: RelationsService,
    env: Environment,
  ) {
    this.limit = Math.ceil(env.databaseTimeout / 2);
  }

  /** Whether actions inside transactions receive writes of this kind. */
  hasActions(kind: ContentKind): boolean {
    const { validateInsert, beforeCommit } = namedHooks(kind);
    return this.hooks.has(validateInsert) || this.hooks.has(beforeCommit);
  }

  /** Lets plugins reject a create or an update before its rows are written. */
  async validateInsert(
    transaction: Transaction,
    kind: ContentKind,
    input: Input<WriteContext>,
    getValues?: () => Promise<object>,
  ): Promise<void> {
    const { validateInsert } = namedHooks(kind);
    if (!this.hooks.has(validateInsert)) return;
    const values = (await getValues?.()) ?? {};
    await this.enforce(validateInsert, transaction, { ...input, values });
  }

  /** Finishes a create or an update: stores declared fields, then plugins may reject the written rows. */
  async finish(transaction: Transaction, kind: ContentKind, written: Written): Promise<void> {
    const { isUnchanged, ...args } = written;
    if (isUnchanged) return;
    const { id, before, fields, context, isNew } = args;
    await this.declared.store(transaction, { kind, id, isNew }, fields, context);
    const change = isNew ? 'create' : 'update';
    await this.beforeCommit(transaction, kind, { id, change, before, fields, context });
    const { afterInsert } = namedHooks(kind);
    transaction.afterCommit(() => this.hooks.run(afterInsert, args));
  }

  /** Removes a record; plugins may reject it before and after its rows are written. */
  async remove(
    transaction: Transaction,
    kind: ContentKind,
    { before, isTrashed, context }: { before: Row; isTrashed: boolean; context: WriteContext },
    write: () => Promise<void>,
  ): Promise<void> {
    const args = { before, isTrashed, context };
    const { validateDelete, delete: after } = namedHooks(kind);
    await this.enforce(validateDelete, transaction, args);
    // Relations have no time limit: very many records may name this one.
    const type = 'taxonomy' in kind ? undefined : kind.type;
    if (type && before.status !== 'trash') await this.relations.checkRemoval(transaction, type, before.id);
    await write();
    if (type) await this.relations.remove(transaction, type, before.id, isTrashed);
    const change = isTrashed ? 'trash' : 'delete';
    await this.beforeCommit(transaction, kind, { id: before.id, change, before, context });
    transaction.afterCommit(() => this.hooks.run(after, args));
  }

  /** Runs a write; if it fails, plugins are told what of `input` there was then. */
  async attempt<T>(kind: ContentKind, input: Input<RequestContext>, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      await this.failed(kind, input, error);
      throw error;
    }
  }

  /** Tells plugins of a failed write. */
  failed(kind: ContentKind, input: Input<RequestContext>, error: unknown): Promise<void> {
    const isUnconfirmed = error instanceof RestException && error.kind === 'unconfirmed';
    return this.hooks.run(namedHooks(kind).writeFailed, { ...input, error, isUnconfirmed });
  }

  private beforeCommit(
    transaction: Transaction,
    kind: ContentKind,
    args: Input<WriteContext> & { id: number; change: string },
  ): Promise<void> {
    return this.enforce(namedHooks(kind).beforeCommit, transaction, args);
  }

  private async enforce(hook: { name: string }, transaction: Transaction, args: object): Promise<void> {
    if (!this.hooks.has(hook)) return;
    const own = transaction.branch();
    const toArgs = (signal: AbortSignal) => ({ ...args, transaction: own, signal });
    await this.hooks.enforce(hook, this.limit, toArgs).finally(() => own.close());
  }
}
