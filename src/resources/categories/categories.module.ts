import { Module } from '@nestjs/common';
import { ResourceModule } from '../base/resource.module.js';
import { EventTermsModule } from '../terms/event-terms.module.js';
import { CategoriesController } from './categories.controller.js';
import { CategoriesService } from './categories.service.js';
import { CATEGORY } from './category-type.js';

/** The category resource; plugins may import its service. */
@Module({
  imports: [EventTermsModule, ResourceModule.forFeature(CATEGORY)],
  controllers: [CategoriesController],
  providers: [CategoriesService],
  exports: [CategoriesService],
})
export class CategoriesModule {}
