import { Module } from '@nestjs/common';
import { ResourceModule } from '../base/resource.module.js';
import { EventTermsModule } from '../terms/event-terms.module.js';
import { TAG } from './tag-type.js';
import { TagsController } from './tags.controller.js';
import { TagsService } from './tags.service.js';

/** The tag resource; plugins may import its service. */
@Module({
  imports: [EventTermsModule, ResourceModule.forFeature(TAG)],
  controllers: [TagsController],
  providers: [TagsService],
  exports: [TagsService],
})
export class TagsModule {}
