import { Controller, Get, Param } from '@nestjs/common';
import { CORE_NAMESPACE } from '../config/env.js';
import { Parameters } from '../http/params/parameters.js';
import { PathId } from '../http/params/path-id.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { Undocumented } from '../http/undocumented.decorator.js';
import { EVENT } from '../resources/events/event-type.js';
import { ORGANIZER } from '../resources/organizers/organizer-type.js';
import { VENUE } from '../resources/venues/venue-type.js';
import { CorePostListQuery, CoreQuery } from './list.dto.js';
import { RevisionsService } from './revisions.service.js';

/** The routes of the revisions of one post type. */
@Undocumented()
abstract class RevisionsController {
  abstract readonly type: string;

  constructor(readonly revisions: RevisionsService) {}

  @Get()
  list(
    @Param('parent', PathId) parent: number,
    @Parameters(CorePostListQuery) query: CorePostListQuery,
    @Context() context: RequestContext,
  ) {
    return this.revisions.list({ type: this.type, id: parent }, query, context);
  }

  @Get(':id')
  get(
    @Param('parent', PathId) parent: number,
    @Param('id', PathId) id: number,
    @Parameters(CoreQuery) query: CoreQuery,
    @Context() context: RequestContext,
  ) {
    return this.revisions.get({ type: this.type, id: parent }, id, query.context, context);
  }
}

@Undocumented()
@Controller(`${CORE_NAMESPACE}/tribe_events/:parent/revisions`)
export class EventRevisionsController extends RevisionsController {
  readonly type = EVENT.type;
}

@Undocumented()
@Controller(`${CORE_NAMESPACE}/tribe_venue/:parent/revisions`)
export class VenueRevisionsController extends RevisionsController {
  readonly type = VENUE.type;
}

@Undocumented()
@Controller(`${CORE_NAMESPACE}/tribe_organizer/:parent/revisions`)
export class OrganizerRevisionsController extends RevisionsController {
  readonly type = ORGANIZER.type;
}
