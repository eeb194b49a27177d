import SwaggerParser from '@apidevtools/swagger-parser';
import {
  All,
  Body,
  type CanActivate,
  Controller,
  Get,
  HttpCode,
  Injectable,
  Module,
  Options,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Req,
  UseGuards,
} from '@nestjs/common';
import {
  ApiExcludeEndpoint,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
  SwaggerModule,
} from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDateString,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import type { Request } from 'express';
import { OWN_NAMESPACE } from '../src/config/env.js';
import { Parameters } from '../src/http/params/parameters.js';
import { RestArg } from '../src/http/params/rest-arg.js';
import { Update } from '../src/http/update.decorator.js';
import { startApp, type TestApp } from './support/app.js';
import { makeSite, type Site } from './support/sites.js';

enum Shade {
  Light = 'light',
  Dark = 'dark',
}

class PageQuery {
  @IsOptional() @IsInt() @Min(1) @Max(99) page?: number;
  @IsIn(['title', 'date']) sort: string;
}

class ReportQuery extends PageQuery {
  @IsOptional() @IsEnum(Shade, { each: true }) shades?: Shade[];
}

class Seat {
  @Matches(/^[A-Z]\d+$/) place: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Seat) neighbours?: Seat[];
}

// The calendar has a schema of the same name.
class Event {
  @IsString() @Length(3, 40) title: string;
  @IsEmail() mail: string;
  @IsDateString() from: string;
  @IsBoolean() open: boolean;
  @IsArray() @ArrayMaxSize(9) @MinLength(2, { each: true }) words: string[];
  @ValidateNested() @Type(() => Seat) seat: Seat;
  @ApiProperty({ description: 'How many.', type: 'integer', maximum: 7 }) @IsInt() @Min(1) copies: number;
}

class Answered {
  @ApiProperty() id: number;
}

class HallFields {
  @RestArg({ type: 'integer', description: 'Row of the seats.' })
  @IsOptional()
  @Max(40)
  row?: number;
}

@Injectable()
class Closed implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

/** Builds a plain controller that Swagger documents by inference and by its decorators. */
function shows(base: string) {
  @Controller(base)
  class ShowsController {
    @Get()
    list(@Query() query: ReportQuery) {
      return { query };
    }

    @Post()
    @HttpCode(202)
    create(@Body() event: Event) {
      return event;
    }

    @Get('told')
    @ApiTags('words')
    @ApiOperation({ summary: 'In own words', operationId: `told.${base}` })
    @ApiOkResponse({ type: Answered, description: 'The answer.' })
    sendText() {
      return { id: 1 };
    }

    @Get('hidden')
    @ApiExcludeEndpoint()
    hidden() {
      return {};
    }

    @Get('rooms/:room')
    room(@Req() request: Request) {
      return { room: request.params['room'] };
    }

    @Update(':id')
    @UseGuards(Closed)
    @ApiOperation({ summary: 'Move a seat' })
    update(@Param('id', ParseIntPipe) id: number, @Query('mode') mode: string, @Body() seat: Seat) {
      return { id, mode, seat };
    }

    @All('any')
    any() {
      return {};
    }

    @Options('asked')
    sendQuery() {
      return {};
    }
  }
  return ShowsController;
}

@Controller('tags')
class SameNameController {
  @Get()
  list() {
    return { plain: true };
  }
}

@Controller('reports')
class ReportsController {
  @Get()
  list() {
    return [];
  }
}

@Controller()
class RootController {
  @Get()
  home() {
    return { home: true };
  }
}

@Controller(`${OWN_NAMESPACE}/halls`)
class HallsController {
  @Update(':id')
  update(@Param('id', ParseIntPipe) id: number, @Parameters(HallFields) { row }: HallFields) {
    return { id, row };
  }
}

@Module({
  controllers: [
    shows('shows'),
    shows(`${OWN_NAMESPACE}/shows`),
    ReportsController,
    SameNameController,
    RootController,
    HallsController,
  ],
})
class ShowsPlugin {}

interface Operation {
  operationId: string;
  summary?: string;
  tags: string[];
  parameters: { name?: string; in?: string; required?: boolean; schema?: unknown; $ref?: string }[];
  requestBody?: { content: Record<string, { schema: { properties?: object } }> };
  responses: Record<string, { description?: string; content?: object; $ref?: string }>;
  servers?: unknown;
}

interface ApiDocument {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation> & { servers?: { url: string }[] }>;
  components: { schemas: Record<string, { properties?: object; required?: string[] }> };
}

describe('/openapi.json with plain Nest controllers', () => {
  let site: Site;
  let app: TestApp;
  let document: ApiDocument;
  beforeAll(async () => {
    site = await makeSite('SQLite');
    app = await startApp({ databaseUrl: site.url, plugins: [ShowsPlugin] });
    document = (await (await fetch(`${app.url}/openapi.json`)).json()) as ApiDocument;
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const operation = (path: string, method: string): Operation => {
    const found = document.paths[path]?.[method];
    if (!found) throw new Error(`no ${method} ${path}`);
    return found;
  };
  const named = ({ parameters }: Operation) =>
    parameters
      .filter(({ name }) => name)
      .map(({ name, in: place, required, schema }) => ({ name, place, required, schema }));

  it('is valid and gives every operation a unique operationId', async () => {
    await SwaggerParser.validate(structuredClone(document) as never);
    const members = Object.values(document.paths).flatMap((item) => Object.values(item as object));
    const names = (members as Partial<Operation>[]).flatMap(({ operationId }) => operationId ?? []);
    expect(names).toContain('told.shows');
    expect(new Set(names).size).toBe(names.length);
  });

  it('gives paths outside the namespaces a server object, so that every documented URL exists', async () => {
    const outside = Object.entries(document.paths).filter(([, { servers }]) => servers);
    expect(outside.map(([path]) => path)).toEqual([
      '/./shows',
      '/./shows/told',
      '/./shows/rooms/{room}',
      '/./shows/{id}',
      '/./shows/any',
      '/reports',
      '/./tags',
      '/./',
    ]);
    const ask = async (path: string) => {
      const [server] = document.paths[path]?.servers ?? document.servers;
      const root = new URL(server?.url ?? '', `${app.url}/openapi.json`).href.replace(/\/$/, '');
      return (await fetch(root + path)).json();
    };
    expect(await ask('/./tags')).toEqual({ plain: true });
    expect(await ask('/./')).toEqual({ home: true });
    expect(await ask('/reports')).toEqual([]);
    expect(await ask('/tags')).toHaveProperty('total');
  });

  it('omits documentation pages, OPTIONS routes and excluded endpoints', () => {
    expect(Object.keys(document.paths).filter((path) => /docs|openapi|hidden|asked/.test(path))).toEqual([]);
  });

  describe.each(['/./shows', '/shows'])('with a controller at %s', (base) => {
    it('documents query parameters by the decorators of class-validator, inherited ones too', () => {
      expect(named(operation(base, 'get')).sort((a, b) => `${a.name}`.localeCompare(`${b.name}`))).toEqual([
        {
          name: 'page',
          place: 'query',
          required: false,
          schema: { type: 'integer', minimum: 1, maximum: 99 },
        },
        {
          name: 'shades',
          place: 'query',
          required: false,
          schema: { type: 'array', items: { enum: ['light', 'dark'] } },
        },
        { name: 'sort', place: 'query', required: true, schema: { type: 'string', enum: ['title', 'date'] } },
      ]);
    });

    it('documents the body by a schema with a prefix when the calendar has the same name', () => {
      const { requestBody, responses } = operation(base, 'post');
      expect(requestBody?.content).toEqual({
        'application/json': { schema: { $ref: '#/components/schemas/plugin.Event' } },
      });
      expect(responses['202']).toMatchObject({ description: 'Done.' });
      expect(responses['200']).toBeUndefined();
    });

    it('applies @ApiOperation, @ApiTags and @ApiOkResponse', () => {
      const { summary, tags, responses } = operation(`${base}/told`, 'get');
      expect([summary, tags]).toEqual(['In own words', ['words']]);
      expect(responses['200']).toEqual({
        description: 'The answer.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Answered' } } },
      });
    });

    it('documents path parameters that no argument names', () => {
      expect(named(operation(`${base}/rooms/{room}`, 'get'))).toEqual([
        { name: 'room', place: 'path', required: true, schema: { type: 'string' } },
      ]);
    });

    it('documents POST, PUT and PATCH with the same parameters for @Update', () => {
      for (const method of ['post', 'put', 'patch']) {
        const update = operation(`${base}/{id}`, method);
        expect(named(update).map(({ name, place }) => `${place} ${name}`)).toEqual(['path id', 'query mode']);
        expect(update.requestBody?.content['application/json']?.schema).toEqual({
          $ref: '#/components/schemas/Seat',
        });
        expect(update.summary).toBe('Move a seat');
      }
    });

    it('documents GET, POST, PUT, PATCH and DELETE for @All', () => {
      const { servers: _, ...methods } = document.paths[`${base}/any`] ?? {};
      expect(Object.keys(methods).sort()).toEqual(['delete', 'get', 'patch', 'post', 'put']);
    });
  });

  it('documents classes and nested classes; @ApiProperty overrides the validators', () => {
    const { 'plugin.Event': event, Seat: seat, Event: ours } = document.components.schemas;
    expect(event?.properties).toEqual({
      title: { type: 'string', minLength: 3, maxLength: 40 },
      mail: { type: 'string', format: 'email' },
      from: { type: 'string', format: 'date-time' },
      open: { type: 'boolean' },
      words: { type: 'array', items: { minLength: 2 }, maxItems: 9 },
      seat: { $ref: '#/components/schemas/Seat' },
      copies: { type: 'integer', description: 'How many.', maximum: 7 },
    });
    expect(seat).toEqual({
      type: 'object',
      properties: {
        place: { type: 'string', pattern: '^[A-Z]\\d+$' },
        neighbours: { type: 'array', items: { $ref: '#/components/schemas/Seat' } },
      },
      required: ['place'],
    });
    expect(ours?.properties).toHaveProperty('global_id');
  });

  it('documents the fields of @Parameters for every method of @Update', async () => {
    for (const method of ['post', 'put', 'patch']) {
      const { requestBody, responses } = operation('/halls/{id}', method);
      expect(requestBody?.content['application/json']?.schema.properties).toEqual({
        row: { type: 'integer', maximum: 40, description: 'Row of the seats.' },
      });
      const response = await fetch(`${app.url}/${OWN_NAMESPACE}/halls/7`, { method: method.toUpperCase() });
      expect(Object.keys(responses)).toContain(`${response.status}`);
    }
  });

  it.each(['POST', 'PUT', 'PATCH'])(
    'a guard on @Update rejects %s with 403 rest_forbidden',
    async (method) => {
      const response = await fetch(`${app.url}/shows/5`, { method });
      expect([response.status, await response.json()]).toMatchObject([403, { code: 'rest_forbidden' }]);
    },
  );

  it('is created once', async () => {
    const createDocument = jest.spyOn(SwaggerModule, 'createDocument');
    expect(await (await fetch(`${app.url}/openapi.json`)).json()).toEqual(document);
    expect(createDocument).not.toHaveBeenCalled();
  });
});
