import { Module } from '@nestjs/common';
import { EVENT } from '../../events/event-type.js';
import { ResourceModule } from '../../resources/resource.module.js';

/** Meta keys by which an import knows again what it brought: the id of the record in its file, and a digest of what that said. */
export const IMPORT_META = { uid: '_almanac_import_uid', digest: '_almanac_import_digest' } as const;

const FIELDS = {
  almanac_import_uid: { meta: IMPORT_META.uid, description: 'Id in the file that it was imported from.' },
  almanac_import_digest: { meta: IMPORT_META.digest, description: 'Digest of what the file said of it.' },
};

/** Lets an import store its two fields in the transaction of the event; only the command knows of them. */
@Module({ imports: [ResourceModule.withFields(EVENT, FIELDS)] })
export class ImportFields {}
