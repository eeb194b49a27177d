import { Module } from '@nestjs/common';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { LinkedPostsService } from './linked-posts.service.js';

/** What venues and organizers share. */
@Module({ imports: [WordPressModule], providers: [LinkedPostsService], exports: [LinkedPostsService] })
export class LinkedPostsModule {}
