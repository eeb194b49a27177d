import { Module } from '@nestjs/common';
import { WordPressModule } from '../../wordpress/wordpress.module.js';
import { ResourceModule } from '../base/resource.module.js';
import { LinkedPostsModule } from '../linked-posts/linked-posts.module.js';
import { VenuePlaces } from './venue-places.service.js';
import { VENUE } from './venue-type.js';
import { VenuesController } from './venues.controller.js';
import { VenuesService } from './venues.service.js';

/** The venue resource; plugins may import its service. */
@Module({
  imports: [WordPressModule, LinkedPostsModule, ResourceModule.forFeature(VENUE)],
  controllers: [VenuesController],
  providers: [VenuesService, VenuePlaces],
  exports: [VenuesService, VenuePlaces],
})
export class VenuesModule {}
