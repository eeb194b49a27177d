import { Controller } from '@nestjs/common';
import { OWN_NAMESPACE } from '../../config/env.js';
import { Cacheable } from '../../http/response-cache/cacheable.decorator.js';
import { linkedPostRoutes } from '../linked-posts/linked-posts.controller.js';
import { ListVenuesQuery } from './venue.dto.js';
import { CreateVenueDto, UpdateVenueBySlugDto, VenueFields } from './venue-write.dto.js';
import { VenuesService } from './venues.service.js';

const Routes = linkedPostRoutes({
  list: ListVenuesQuery,
  create: CreateVenueDto,
  update: VenueFields,
  updateBySlug: UpdateVenueBySlugDto,
});

/** Routes of venues. */
@Cacheable()
@Controller(`${OWN_NAMESPACE}/venues`)
export class VenuesController extends Routes {
  constructor(readonly records: VenuesService) {
    super();
  }
}
