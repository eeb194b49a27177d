import { Controller } from '@nestjs/common';
import { OWN_NAMESPACE } from '../../config/env.js';
import { Cacheable } from '../../http/response-cache/cacheable.decorator.js';
import { linkedPostRoutes } from '../linked-posts/linked-posts.controller.js';
import { ListOrganizersQuery } from './organizer.dto.js';
import { CreateOrganizerDto, OrganizerFields, UpdateOrganizerBySlugDto } from './organizer-write.dto.js';
import { OrganizersService } from './organizers.service.js';

const Routes = linkedPostRoutes({
  list: ListOrganizersQuery,
  create: CreateOrganizerDto,
  update: OrganizerFields,
  updateBySlug: UpdateOrganizerBySlugDto,
});

/** Routes of organizers. */
@Cacheable()
@Controller(`${OWN_NAMESPACE}/organizers`)
export class OrganizersController extends Routes {
  constructor(readonly records: OrganizersService) {
    super();
  }
}
