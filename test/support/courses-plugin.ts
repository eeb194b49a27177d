import { Controller, Delete, Get, Injectable, Module, Param, Post as PostRoute } from '@nestjs/common';
import {
  CATEGORY,
  CategoriesModule,
  Context,
  defineFields,
  definePosts,
  EVENT,
  EventsModule,
  ListOf,
  ORGANIZER,
  OrganizersModule,
  OWN_NAMESPACE,
  Parameters,
  PathId,
  PlainPostFields,
  PlainPostListQuery,
  PlainPostQuery,
  PlainPostsService,
  Post,
  PostResourceDeps,
  type RequestContext,
  ResourceModule,
  StatusesArg,
  Update,
  VENUE,
  VenuesModule,
  withPageHeaders,
} from 'almanac';
import { Matches, MaxLength } from 'class-validator';
import { ChildEntity } from 'typeorm';

/** A field of each type, on events, and two that few users may see or write. */
export const EVENT_FIELDS = defineFields({
  code: { meta: '_c_code', type: 'string', title: 'Ticket code', description: 'In the shop.', unique: true },
  seats: { meta: '_c_seats', type: 'integer', description: 'How many may sit.' },
  price: { meta: '_c_price', type: 'number', description: 'In euros.' },
  indoors: { meta: '_c_indoors', type: 'boolean', description: 'Whether it is inside.', default: true },
  doors: { meta: '_c_doors', type: 'date', zone: 'Asia/Tokyo', description: 'When the doors open.' },
  level: { meta: '_c_level', type: 'enum', values: ['easy', 'hard'], description: 'How hard it is.' },
  hotel: { meta: '_c_hotel', type: 'reference', to: VENUE, description: 'Where to stay.' },
  address: {
    meta: '_c_address',
    type: 'object',
    description: 'Of the box office.',
    properties: {
      street: { required: true, checks: [MaxLength(10)] },
      number: { type: 'integer' },
      host: { type: 'reference', to: ORGANIZER },
    },
  },
  colors: {
    meta: '_c_color',
    type: 'list',
    items: { type: 'string', checks: [Matches(/^[a-z]+$/)] },
    maxItems: 3,
    description: 'Colors.',
  },
  contacts: {
    meta: '_c_contact',
    type: 'list',
    items: { type: 'object', properties: { name: { required: true }, at_door: { type: 'boolean' } } },
    description: 'Whom to ask.',
  },
  budget: { meta: '_c_budget', type: 'integer', description: 'Internal.', readableBy: 'manage_options' },
  approved: { meta: '_c_approved', type: 'boolean', description: 'By a boss.', writableBy: 'manage_options' },
});

@ChildEntity('acme_course')
class Course extends Post {}

/** A resource whose path is another word than its plural. */
export const COURSE = definePosts({
  type: 'acme_course',
  path: 'acme-courses',
  singular: 'course',
  plural: 'courses',
  capabilities: 'tribe_events',
  entity: Course,
  relations: {
    place: { to: VENUE, meta: '_c_place', description: 'Where it is.', required: true },
    teachers: { to: ORGANIZER, many: true, meta: '_c_teacher', description: 'Who teaches.' },
  },
});

@Injectable()
class CoursesService extends PlainPostsService<'courses'> {
  constructor(tools: PostResourceDeps) {
    super(COURSE, tools);
  }
}

@ListOf(COURSE)
class ListCoursesQuery extends PlainPostListQuery {
  @StatusesArg(COURSE.type) status?: string[];
}

@Controller(`${OWN_NAMESPACE}/acme-courses`)
class CoursesController {
  constructor(private readonly courses: CoursesService) {}

  @Get()
  list(@Parameters(ListCoursesQuery) query: ListCoursesQuery, @Context() context: RequestContext) {
    return withPageHeaders(this.courses.list(query, context));
  }

  @PostRoute()
  create(@Parameters(COURSE.newBody) fields: PlainPostFields, @Context() context: RequestContext) {
    return this.courses.create(fields, context);
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(PlainPostQuery) query: PlainPostQuery,
    @Context() context: RequestContext,
  ) {
    return this.courses.get(id, query, context);
  }

  @Update(':id')
  update(
    @Param('id', PathId) id: number,
    @Parameters(COURSE.body) fields: PlainPostFields,
    @Context() context: RequestContext,
  ) {
    return this.courses.update(id, fields, context);
  }

  @Delete(':id')
  remove(@Param('id', PathId) id: number, @Context() context: RequestContext) {
    return this.courses.remove(id, context);
  }
}

/** Fields on events and categories, and courses. */
@Module({
  imports: [
    EventsModule,
    VenuesModule,
    OrganizersModule,
    CategoriesModule,
    ResourceModule.withFields(EVENT, EVENT_FIELDS),
    ResourceModule.withFields(CATEGORY, {
      motto: { meta: '_c_motto', type: 'string', description: 'Its motto.' },
    }),
    ResourceModule.forFeature(COURSE),
  ],
  controllers: [CoursesController],
  providers: [CoursesService],
})
export class CoursesModule {}
