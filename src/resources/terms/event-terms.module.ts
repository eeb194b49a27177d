import { Module } from '@nestjs/common';
import { WordPressModule } from '../../wordpress/wordpress.module.js';
import { PostTermsService } from './post-terms.service.js';
import { TermTools } from './term-tools.js';

/** What categories and tags share. */
@Module({
  imports: [WordPressModule],
  providers: [TermTools, PostTermsService],
  exports: [TermTools, PostTermsService],
})
export class EventTermsModule {}
