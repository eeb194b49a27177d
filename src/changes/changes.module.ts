import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HttpModule } from '../http/http.module.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { ChangeRow } from './change-row.entity.js';
import { ChangeStreams } from './change-streams.service.js';
import { ChangesController } from './changes.controller.js';
import { ChangesService } from './changes.service.js';
import { Detector } from './detector.service.js';
import { ForeignChanges } from './foreign-changes.service.js';
import { Journal } from './journal.service.js';
import { JournalTrim } from './journal-trim.service.js';
import { JournalWriter } from './journal-writer.service.js';
import { LinkedChanges } from './linked-changes.service.js';
import { RecordRow } from './record-row.entity.js';

/** The journal of changes, and the routes that show it. */
@Module({
  imports: [TypeOrmModule.forFeature([ChangeRow, RecordRow]), HttpModule, WordPressModule],
  controllers: [ChangesController],
  providers: [
    JournalWriter,
    Journal,
    ForeignChanges,
    LinkedChanges,
    JournalTrim,
    Detector,
    ChangesService,
    ChangeStreams,
  ],
  exports: [Journal],
})
export class ChangesModule {}
