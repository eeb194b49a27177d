import { Module } from '@nestjs/common';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { TermTools } from './term-tools.js';

/** What categories and tags share. */
@Module({ imports: [WordPressModule], providers: [TermTools], exports: [TermTools] })
export class EventTermsModule {}
