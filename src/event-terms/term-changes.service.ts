import { Injectable } from '@nestjs/common';
import { Transactions } from '../database/transactions.js';
import { Answer } from '../http/answer.js';
import type { RequestContext } from '../http/request-context.js';
import { forbidden, RestError } from '../http/rest-error.js';
import { Cleaning, type TextToClean } from '../wordpress/rendering/cleaning.service.js';
import { TermWriter } from '../wordpress/terms/term-writer.js';
import { cleaningRights } from '../http/write-site.js';
import { EventTermsService } from './event-terms.service.js';
import { orRefusal } from './refused-term.js';
import type { TermView, WriteTermDto } from './term.dto.js';
import { coreLink, toTermResponse } from './term.response.js';
import type { TermType } from './term-type.js';

/** Creates, updates and deletes categories and tags: who may, in one transaction, answered through the read path. */
@Injectable()
export class TermChangesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly terms: EventTermsService,
    private readonly writer: TermWriter,
    private readonly cleaning: Cleaning,
  ) {}

  async create(
    kind: TermType,
    fields: WriteTermDto & { name: string },
    context: RequestContext,
  ): Promise<Answer> {
    checkRights(kind, 'create', context);
    checkParent(kind, fields);
    const cleaner = await this.cleaning.prepare(context, cleaningRights(context), textsOf(fields));
    const id = await orRefusal(
      this.transactions.run((transaction) =>
        this.writer.insert(transaction, kind.taxonomy, fields, context.settings.render.locale, cleaner),
      ),
    );
    const { body } = await this.terms.get(kind, id, viewOf(fields), context);
    return new Answer(body, 201, { Location: coreLink(kind, id, context) });
  }

  /** What was not sent stays; an unknown id is a parameter that is not valid, whoever asks, as recorded. */
  async update(kind: TermType, id: number, fields: WriteTermDto, context: RequestContext): Promise<Answer> {
    await this.terms.find(kind, id);
    checkRights(kind, 'update', context);
    checkParent(kind, fields);
    const cleaner = await this.cleaning.prepare(context, cleaningRights(context), textsOf(fields));
    await orRefusal(
      this.transactions.run(async (transaction) => {
        const { term } = await this.terms.find(kind, id, transaction.manager);
        await this.writer.update(transaction, term, fields, context.settings.render.locale, cleaner);
      }),
    );
    return this.terms.get(kind, id, viewOf(fields), context);
  }

  /** Deletes for good; answers the term as it was. */
  async remove(kind: TermType, id: number, view: TermView, context: RequestContext): Promise<Answer> {
    await this.terms.find(kind, id);
    checkRights(kind, 'delete', context);
    const last = await this.transactions.run(async (transaction) => {
      const shown = await this.terms.find(kind, id, transaction.manager);
      await this.writer.remove(transaction, shown.term);
      return shown;
    });
    return new Answer(toTermResponse(kind, last, context, { _fields: view._fields, inList: false }));
  }
}

/** A write is always answered in full: `context` thins out reads only. */
function viewOf({ _fields, _embed }: TermView): TermView {
  return { _fields, _embed };
}

function textsOf({ name, description }: WriteTermDto): TextToClean[] {
  return [
    ['termName', name],
    ['termDescription', description],
  ];
}

function checkRights({ taxonomy, many }: TermType, operation: string, { access }: RequestContext): void {
  if (!access.mayManageTerms(taxonomy)) throw forbidden(access.signedIn, `You may not ${operation} ${many}.`);
}

function checkParent(kind: TermType, { parent }: WriteTermDto): void {
  if (parent !== undefined && !kind.hierarchical)
    throw new RestError('rest_taxonomy_not_hierarchical', 400, `parent: ${kind.many} have no parents.`);
}
