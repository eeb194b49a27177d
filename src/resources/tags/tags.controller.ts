import { Controller } from '@nestjs/common';
import { OWN_NAMESPACE } from '../../config/env.js';
import { Cacheable } from '../../http/response-cache/cacheable.decorator.js';
import { eventTermRoutes } from '../terms/event-terms.controller.js';
import { ListTagsQuery } from './tag.dto.js';
import { CreateTagDto, UpdateTagDto } from './tag-write.dto.js';
import { TagsService } from './tags.service.js';

const Routes = eventTermRoutes({ list: ListTagsQuery, create: CreateTagDto, update: UpdateTagDto });

/** Routes of tags. */
@Cacheable()
@Controller(`${OWN_NAMESPACE}/tags`)
export class TagsController extends Routes {
  constructor(readonly terms: TagsService) {
    super();
  }
}
