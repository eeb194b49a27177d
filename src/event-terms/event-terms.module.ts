import { Module } from '@nestjs/common';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { EventTermsService } from './event-terms.service.js';
import { TermChangesService } from './term-changes.service.js';

const SERVICES = [EventTermsService, TermChangesService];

/** What categories and tags share. */
@Module({ imports: [WordPressModule], providers: SERVICES, exports: SERVICES })
export class EventTermsModule {}
