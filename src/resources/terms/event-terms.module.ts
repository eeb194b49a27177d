import { Module } from '@nestjs/common';
import { WordPressModule } from '../../wordpress/wordpress.module.js';
import { PostTermsService } from './post-terms.service.js';
import { TermCreator } from './term-creator.service.js';
import { TermDeps } from './term-deps.js';

/** The services that categories and tags share. */
@Module({
  imports: [WordPressModule],
  providers: [TermDeps, TermCreator, PostTermsService],
  exports: [TermDeps, TermCreator, PostTermsService],
})
export class EventTermsModule {}
