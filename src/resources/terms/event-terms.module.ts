import { Module } from '@nestjs/common';
import { WordPressModule } from '../../wordpress/wordpress.module.js';
import { CarriedTerms } from './carried-terms.service.js';
import { TermTools } from './term-tools.js';

/** What categories and tags share. */
@Module({
  imports: [WordPressModule],
  providers: [TermTools, CarriedTerms],
  exports: [TermTools, CarriedTerms],
})
export class EventTermsModule {}
