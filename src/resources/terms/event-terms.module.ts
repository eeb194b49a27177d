import { Module } from '@nestjs/common';
import { WordPressModule } from '../../wordpress/wordpress.module.js';
import { PostTermsService } from './post-terms.service.js';
import { TermDeps } from './term-deps.js';

/** The services that categories and tags share. */
@Module({
  imports: [WordPressModule],
  providers: [TermDeps, PostTermsService],
  exports: [TermDeps, PostTermsService],
})
export class EventTermsModule {}
