import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { ChangeRow } from './change-row.entity.js';
import { Detector } from './detector.service.js';
import { ForeignChanges } from './foreign-changes.service.js';
import { Journal } from './journal.service.js';
import { JournalTrim } from './journal-trim.service.js';
import { JournalWriter } from './journal-writer.service.js';
import { LinkedChanges } from './linked-changes.service.js';
import { RecordRow } from './record-row.entity.js';

/** The journal of changes. */
@Module({
  imports: [TypeOrmModule.forFeature([ChangeRow, RecordRow]), WordPressModule],
  providers: [JournalWriter, Journal, ForeignChanges, LinkedChanges, JournalTrim, Detector],
  exports: [Journal],
})
export class ChangesModule {}
