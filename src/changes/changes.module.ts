import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HttpModule } from '../http/http.module.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { ChangeRow } from './change-row.entity.js';
import { ChangeStreams } from './change-streams.service.js';
import { ChangesController } from './changes.controller.js';
import { ChangesService } from './changes.service.js';
import { Journal } from './journal.service.js';
import { JournalWriter } from './journal-writer.service.js';
import { RecordRow } from './record-row.entity.js';

/** The journal of changes, and the routes that show it. */
@Module({
  imports: [TypeOrmModule.forFeature([ChangeRow, RecordRow]), HttpModule, WordPressModule],
  controllers: [ChangesController],
  providers: [JournalWriter, Journal, ChangesService, ChangeStreams],
  exports: [Journal],
})
export class ChangesModule {}
