import { Injectable } from '@nestjs/common';
import { Hooks } from '../../common/hooks/hooks.js';
import { Database } from '../../database/database.js';
import { Transactions } from '../../database/transactions.js';
import { Cleaning } from '../../wordpress/rendering/cleaning.service.js';
import { TermVisibility } from '../../wordpress/terms/term-visibility.js';
import { TermWriter } from '../../wordpress/terms/term-writer.js';
import { TermsService } from '../../wordpress/terms/terms.service.js';
import { FieldsService } from '../base/fields.service.js';
import { NormalizedFormat } from '../base/normalized-format.service.js';
import { RecordReaders } from '../base/record-readers.service.js';
import { WriteHooks } from '../base/write-hooks.service.js';
import { TermCreator } from './term-creator.service.js';

/** The dependencies of the services of categories and tags. */
@Injectable()
export class TermDeps {
  constructor(
    readonly database: Database,
    readonly transactions: Transactions,
    readonly terms: TermsService,
    readonly writer: TermWriter,
    readonly cleaning: Cleaning,
    readonly hooks: Hooks,
    readonly fields: FieldsService,
    readonly writes: WriteHooks,
    readonly creator: TermCreator,
    readonly normalizedFormat: NormalizedFormat,
    readonly visibility: TermVisibility,
    readonly readers: RecordReaders,
  ) {}
}
