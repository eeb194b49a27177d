import {
  type ArgumentsHost,
  BadGatewayException,
  BadRequestException,
  Body,
  type CallHandler,
  type CanActivate,
  Catch,
  ConflictException,
  Controller,
  Delete,
  type ExceptionFilter,
  type ExecutionContext,
  ForbiddenException,
  Get,
  Header,
  Headers,
  HttpCode,
  HttpException,
  Injectable,
  Logger,
  Module,
  type NestInterceptor,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Put,
  Query,
  Req,
  Res,
  ServiceUnavailableException,
  Sse,
  StreamableFile,
  UnprocessableEntityException,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { IsInt, IsString, Min, MinLength } from 'class-validator';
import type { Request, Response } from 'express';
import { map, of } from 'rxjs';
import { OWN_NAMESPACE } from '../src/config/env.js';
import { HttpModule } from '../src/http/http.module.js';
import { Context, type RequestContext } from '../src/http/request-context.js';
import { CategoriesModule } from '../src/resources/categories/categories.module.js';
import { CategoriesService } from '../src/resources/categories/categories.service.js';
import { EventsModule } from '../src/resources/events/events.module.js';
import { EventsService } from '../src/resources/events/events.service.js';
import { VenuesModule } from '../src/resources/venues/venues.module.js';
import { VenuesService } from '../src/resources/venues/venues.service.js';
import { startApp, type TestApp } from './support/app.js';
import { credentials } from './support/calendar-client.js';
import { makeSite, type Site } from './support/sites.js';

class ReportDto {
  @IsString() @MinLength(3) title: string;
  @IsInt() @Min(1) copies: number;
}

@Injectable()
class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<Request>().headers['x-token'] === 'let-me-in';
  }
}

@Injectable()
class Wrapped implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((value: unknown) => ({ wrapped: value })));
  }
}

@Catch(RangeError)
class TeapotFilter implements ExceptionFilter {
  catch(_: RangeError, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).json({ teapot: true });
  }
}

const circular = {};

/** Builds a plain Nest controller at the path `base`. */
function reportsController(base: string) {
  @Controller(base)
  class ReportsController {
    constructor(
      private readonly events: EventsService,
      private readonly venues: VenuesService,
      private readonly categories: CategoriesService,
    ) {}

    @Get()
    list(
      @Query('page') page: string,
      @Query() all: Record<string, unknown>,
      @Headers('x-shade') shade: string,
    ) {
      return { page, all, shade, path: '/a/é' };
    }

    @Post()
    @UsePipes(new ValidationPipe({ whitelist: true, transform: true }))
    create(@Body() report: ReportDto, @Req() request: Request) {
      return { ...report, isDto: report instanceof ReportDto, seen: request.body };
    }

    @Put(':id')
    @HttpCode(202)
    update(@Param('id', ParseIntPipe) id: number, @Body('title') title: string) {
      return { id, title };
    }

    @Delete(':id')
    @UseGuards(TokenGuard)
    remove(@Param('id') id: string) {
      return { removed: id };
    }

    @Get('csv')
    csv() {
      return new StreamableFile(Buffer.from('a,b\n1,2\n'), { type: 'text/csv', disposition: 'attachment' });
    }

    @Get('own')
    own(@Res() response: Response) {
      response.status(203).type('text/plain').send('own words');
    }

    @Get('page')
    @Header('Content-Type', 'text/html; charset=utf-8')
    page() {
      return '<b>Hello</b>';
    }

    @Sse('live')
    live() {
      return of({ data: { tick: 1 } }, { data: { tick: 2 } });
    }

    @Get('wrapped')
    @UseInterceptors(Wrapped)
    wrapped() {
      return 'text';
    }

    @Get('filtered')
    @UseFilters(TeapotFilter)
    filtered() {
      throw new RangeError('out');
    }

    @Get('who')
    who(@Context() { access, time }: RequestContext) {
      return {
        id: access.user.id,
        mayEdit: access.can('edit_tribe_events'),
        timed: time.atSecond((now) => now > 0).value,
      };
    }

    @Get('titles/:id')
    async titles(@Param('id', ParseIntPipe) id: number, @Context() context: RequestContext) {
      const { title } = await this.events.get(id, {}, context);
      const page = { page: 1, per_page: 2 };
      const { total } = await this.venues.list(page, context);
      const { events } = await this.events.list(page, context);
      const { categories } = await this.categories.list(page, context);
      return { event: title, venues: total, counts: [events.length, categories.length] };
    }

    @Get('fails/:how')
    fails(@Param('how') how: string) {
      const errors: Record<string, () => Error> = {
        forbidden: () => new ForbiddenException('Not for you.'),
        missing: () => new NotFoundException('No such report.'),
        conflict: () => new ConflictException(),
        coded: () =>
          new HttpException({ code: 'report_locked', message: 'Locked.', data: { until: 5 } }, 423),
        bad: () => new BadRequestException(['a is wrong', 'b is wrong']),
        sold: () => new UnprocessableEntityException({ message: 'Sold out', left: 0, seats: ['A1'] }),
        closed: () => new ServiceUnavailableException('Closed until noon.'),
        lost: () => new BadGatewayException('Connection lost to the till.'),
        broken: () => new HttpException('secret detail', 500),
        wordless: () => new HttpException(null as never, 409),
        statusless: () => new HttpException('secret detail', undefined as never),
        circular: () => new HttpException(Object.assign(circular, { circular }), 400),
        passed: () =>
          new HttpException(Object.assign(new Error('secret detail'), { config: { key: 'secret' } }), 502),
        bug: () => new TypeError('secret detail'),
      };
      throw errors[how]?.() ?? new Error('unknown');
    }
  }
  return ReportsController;
}

/** A route at the address of the site's calendar. */
@Controller('events')
class OwnEventsController {
  @Get()
  list() {
    return { own: true };
  }
}

@Module({
  imports: [HttpModule, CategoriesModule, EventsModule, VenuesModule],
  controllers: [
    OwnEventsController,
    reportsController('reports'),
    reportsController(`${OWN_NAMESPACE}/reports`),
  ],
})
class ReportsModule {}

describe.each(['/reports', `/${OWN_NAMESPACE}/reports`])('a plugin in plain Nest at %s', (base) => {
  let site: Site;
  let app: TestApp;
  beforeAll(async () => {
    site = await makeSite('SQLite');
    app = await startApp({ databaseUrl: site.url, plugins: [ReportsModule] });
    // Deliberate exceptions would fill the log of the tests.
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await app?.close();
    await site?.drop();
  });

  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${app.url}${base}${path}`, {
      method,
      headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
    });
    const text = await reply.text();
    return { status: reply.status, type: reply.headers.get('content-type'), text, reply };
  };
  const json = async (...request: Parameters<typeof send>) => {
    const { status, text } = await send(...request);
    return [status, JSON.parse(text)] as const;
  };

  it('reads query parameters and headers', async () => {
    expect(await json('GET', '?page=2&tag=x', undefined, { 'X-Shade': 'blue' })).toEqual([
      200,
      { page: '2', all: { page: '2', tag: 'x' }, shade: 'blue', path: '/a/é' },
    ]);
  });

  it('serves a route at the address of the calendar page', async () => {
    const own = await fetch(`${app.url}/events/`, { redirect: 'manual' });
    expect([own.status, await own.json()]).toEqual([200, { own: true }]);
  });

  it('reads a JSON body into a validated DTO', async () => {
    const sent = { title: 'Budget', copies: 2, extra: true };
    expect(await json('POST', '', sent)).toEqual([
      201,
      { title: 'Budget', copies: 2, isDto: true, seen: sent },
    ]);
  });

  it('rejects an invalid body by ValidationPipe with 400 and the details', async () => {
    const [status, error] = await json('POST', '', { title: 'x', copies: 0 });
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: 'rest_bad_request', data: { status: 400 } });
    expect(error.message).toMatch(/title .*copies /s);
    expect(error.data.details).toHaveLength(2);
  });

  it('reads forms, path parameters and single fields of a body', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(await json('PUT', '/7', 'title=From+a+form', form)).toEqual([
      202,
      { id: 7, title: 'From a form' },
    ]);
    expect(await json('PUT', '/x', { title: 'a' })).toMatchObject([400, { data: { status: 400 } }]);
  });

  it('applies guards and rejects with 403 rest_forbidden', async () => {
    expect(await json('DELETE', '/3', undefined, { 'X-Token': 'let-me-in' })).toEqual([
      200,
      { removed: '3' },
    ]);
    expect(await json('DELETE', '/3')).toMatchObject([
      403,
      { code: 'rest_forbidden', data: { status: 403 } },
    ]);
  });

  it('sends streamed files, its own responses, HTML pages and server-sent events', async () => {
    const csv = await send('GET', '/csv');
    expect([csv.status, csv.type, csv.text]).toEqual([200, 'text/csv', 'a,b\n1,2\n']);
    const own = await send('GET', '/own');
    expect([own.status, own.type, own.text]).toEqual([203, 'text/plain; charset=utf-8', 'own words']);
    const page = await send('GET', '/page');
    expect([page.status, page.type, page.text]).toEqual([200, 'text/html; charset=utf-8', '<b>Hello</b>']);
    const live = await send('GET', '/live');
    expect(live.type).toMatch(/^text\/event-stream/);
    expect(live.text.match(/data: .*/g)).toEqual(['data: {"tick":1}', 'data: {"tick":2}']);
  });

  it('applies its own interceptors and exception filters', async () => {
    expect(await json('GET', '/wrapped')).toEqual([200, { wrapped: 'text' }]);
    expect(await json('GET', '/filtered')).toEqual([418, { teapot: true }]);
  });

  it('injects resource services, which return only records that the user may read', async () => {
    expect(await json('GET', '/titles/53')).toEqual([
      200,
      { event: 'Opening night', venues: 18, counts: [2, 2] },
    ]);
    const [, { venues }] = await json('GET', '/titles/53', undefined, credentials('admin'));
    expect(venues).toBeGreaterThan(18);
    expect(await json('GET', '/titles/9999999')).toMatchObject([404, { code: 'rest-event-not-found' }]);
  });

  it('receives the authenticated user and rejects wrong credentials with 401', async () => {
    expect(await json('GET', '/who')).toEqual([200, { id: 0, mayEdit: false, timed: true }]);
    expect(await json('GET', '/who', undefined, credentials('editor'))).toEqual([
      200,
      { id: 2, mayEdit: true, timed: true },
    ]);
    expect(
      await json('GET', '/who', undefined, { Authorization: `Basic ${btoa('admin:wrong')}` }),
    ).toMatchObject([401, { data: { status: 401 } }]);
  });

  it.each([
    ['forbidden', 403, 'rest_forbidden', 'Not for you.'],
    ['missing', 404, 'rest_not_found', 'No such report.'],
    ['conflict', 409, 'rest_conflict', 'Conflict'],
    ['coded', 423, 'report_locked', 'Locked.'],
    ['bad', 400, 'rest_bad_request', 'a is wrong b is wrong'],
    ['sold', 422, 'rest_unprocessable_entity', 'Sold out'],
    ['closed', 503, 'rest_service_unavailable', 'Closed until noon.'],
    ['lost', 502, 'rest_bad_gateway', 'Connection lost to the till.'],
    ['wordless', 409, 'rest_conflict', 'Conflict'],
    ['passed', 502, 'rest_bad_gateway', 'Bad Gateway'],
    ['statusless', 500, 'internal_server_error', 'Something went wrong on the server.'],
    ['circular', 500, 'internal_server_error', 'Something went wrong on the server.'],
    ['broken', 500, 'internal_server_error', 'Something went wrong on the server.'],
    ['bug', 500, 'internal_server_error', 'Something went wrong on the server.'],
  ])(
    'responds to the exception "%s" with its status in the recorded error shape',
    async (how, status, code, message) => {
      const { status: responseStatus, text } = await send('GET', `/fails/${how}`);
      expect([responseStatus, JSON.parse(text)]).toMatchObject([status, { code, message, data: { status } }]);
      expect(text).not.toContain('secret');
    },
  );

  it('adds further members of an exception to data', async () => {
    const [, sold] = await json('GET', '/fails/sold');
    expect(sold.data).toEqual({ status: 422, left: 0, seats: ['A1'] });
    const [, coded] = await json('GET', '/fails/coded');
    expect(coded.data).toEqual({ status: 423, until: 5 });
    const [, forbidden] = await json('GET', '/fails/forbidden');
    expect(forbidden.data).toEqual({ status: 403 });
  });

  it('rejects a body past the limit with 413 and invalid JSON with 400', async () => {
    expect(await json('POST', '', { title: 'x'.repeat(1100 * 1024) })).toMatchObject([
      413,
      { data: { status: 413 } },
    ]);
    expect(await json('POST', '', '{"title":')).toMatchObject([400, { data: { status: 400 } }]);
  });

  it('responds to unknown paths with 404 rest_no_route', async () => {
    expect(await json('GET', '/a/b/c')).toMatchObject([
      404,
      { code: 'rest_no_route', data: { status: 404 } },
    ]);
  });
});
