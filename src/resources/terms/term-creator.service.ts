import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transactions.js';
import type { WriteContext } from '../../http/request-context.js';
import { type TermFields, TermWriter } from '../../wordpress/terms/term-writer.js';
import type { TermResource } from '../base/resource.js';
import { WriteHooks } from '../base/write-hooks.service.js';

/** Creates terms, of their own requests and of events, with the hooks of their taxonomy. */
@Injectable()
export class TermCreator {
  constructor(
    private readonly terms: TermWriter,
    private readonly writes: WriteHooks,
  ) {}

  /** Creates a term and returns its id. */
  async create(
    transaction: Transaction,
    kind: TermResource,
    fields: TermFields & { name: string },
    context: WriteContext,
  ): Promise<number> {
    const { locale } = context.settings.render;
    await this.writes.validateInsert(transaction, kind, { fields, context });
    const id = await this.terms.insert(transaction, kind.taxonomy, fields, locale, context.cleaner);
    await this.writes.finish(transaction, kind, { id, isNew: true, fields, context });
    return id;
  }
}
