import { Module } from '@nestjs/common';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { EventTermsService } from './event-terms.service.js';

/** What categories and tags share. */
@Module({ imports: [WordPressModule], providers: [EventTermsService], exports: [EventTermsService] })
export class EventTermsModule {}
