import { Module } from '@nestjs/common';
import { CalendarModule } from '../../calendar/calendar.module.js';
import { MediaModule } from '../../wordpress/media/media.module.js';
import { WordPressModule } from '../../wordpress/wordpress.module.js';
import { ResourcesModule } from '../base/resource.module.js';
import { LinkedPostWriter } from './linked-post-writer.js';
import { LinkedRecordIndex } from './linked-record-index.service.js';

/** The services that venues and organizers share. */
@Module({
  imports: [WordPressModule, CalendarModule, MediaModule, ResourcesModule],
  providers: [LinkedPostWriter, LinkedRecordIndex],
  exports: [LinkedPostWriter, LinkedRecordIndex, ResourcesModule],
})
export class LinkedPostsModule {}
