import { Module } from '@nestjs/common';
import { LinkedPostsModule } from '../linked-posts/linked-posts.module.js';
import { ResourceModule } from '../resources/resource.module.js';
import { VENUE } from './venue-type.js';
import { VenuesController } from './venues.controller.js';
import { VenuesService } from './venues.service.js';

/** Venues; its service is there for plugins. */
@Module({
  imports: [LinkedPostsModule, ResourceModule.forFeature(VENUE)],
  controllers: [VenuesController],
  providers: [VenuesService],
  exports: [VenuesService],
})
export class VenuesModule {}
