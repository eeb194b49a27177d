import { Module } from '@nestjs/common';
import { EVENT } from '../../resources/events/event-type.js';
import { IMPORT_META } from '../../resources/events/event-uids.js';
import { ResourceModule } from '../../resources/base/resource.module.js';

const FIELDS = {
  almanac_import_uid: { meta: IMPORT_META.uid, description: 'Id in the file that it was imported from.' },
  almanac_import_digest: { meta: IMPORT_META.digest, description: 'Digest of what the file said of it.' },
  almanac_import_sequence: { meta: IMPORT_META.sequence, description: 'Its revision in the file.' },
};

/** Declares the fields of imports, so that they are stored in the event's transaction; only the command loads it. */
@Module({ imports: [ResourceModule.withFields(EVENT, FIELDS)] })
export class ImportFields {}
