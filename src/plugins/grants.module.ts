import { Module } from '@nestjs/common';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { GrantsService } from './grants.service.js';

/** Capabilities that plugins grant to the roles of the site. */
@Module({ imports: [WordPressModule], providers: [GrantsService] })
export class GrantsModule {}
