import { Module } from '@nestjs/common';
import { ResourceModule } from '../base/resource.module.js';
import { LinkedPostsModule } from '../linked-posts/linked-posts.module.js';
import { ORGANIZER } from './organizer-type.js';
import { OrganizersController } from './organizers.controller.js';
import { OrganizersService } from './organizers.service.js';

/** The organizer resource; plugins may import its service. */
@Module({
  imports: [LinkedPostsModule, ResourceModule.forFeature(ORGANIZER)],
  controllers: [OrganizersController],
  providers: [OrganizersService],
  exports: [OrganizersService],
})
export class OrganizersModule {}
