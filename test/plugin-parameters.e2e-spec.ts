import { Controller, Get, Module } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsInt, Max, Min, ValidateNested } from 'class-validator';
import {
  getContext,
  HttpModule,
  IsPositiveInt,
  IsPostOf,
  makeCheck,
  OWN_NAMESPACE,
  Parameters,
  RequiredArgs,
  RestArg,
  type TransformParams,
} from '../src/almanac.js';
import { startApp, type TestApp } from './support/app.js';
import { makeSite, type Site } from './support/sites.js';

/** Values passed to `IsEven`, in order. */
const checkedValues: unknown[] = [];
const IsEven = makeCheck('isEven', 'must be even.', async (value, values) => {
  checkedValues.push(value);
  const { time } = getContext(values);
  if (value === 'later') return time.atSecond((now) => now > 0).value && `is ${String(value)} than now.`;
  return Number(value) % 2 === 0;
});

class Seat {
  @IsInt() row: number;
}

class SeatsQuery {
  @RestArg({ type: 'integer', description: 'Copies.' })
  @IsInt()
  @Min(1)
  @Max(9, { context: { code: 'too-many-copies' } })
  copies?: number;
  @RestArg({ description: 'Kind.' })
  @IsIn(['stalls', 'circle'])
  kind?: string;
  @RestArg({ description: 'Row.' })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  row?: number;
  @RestArg({ type: 'integer', default: 5, description: 'Price.' })
  @Transform(({ value }: TransformParams) => Number(value) * 100)
  price: number;
  @RestArg({ items: 'string', description: 'Names.' })
  @ArrayMaxSize(2)
  @Transform(({ value }: TransformParams) => (Array.isArray(value) ? value.map((name) => `${name}!`) : value))
  names?: string[];
  @RestArg({ items: 'string', description: 'Lists are handed on as sent.' })
  @ValidateNested()
  @Type(() => Seat)
  seats?: Seat[];
  @RestArg({ type: 'integer', description: 'Venue.' })
  @IsPostOf('tribe_venue', 'venue')
  venue?: number;
  @RestArg({ type: 'integer', description: 'Page.' })
  @IsPositiveInt({ message: '$property is no page.', context: { code: 'no-page' } })
  page?: number;
  @RestArg({ description: 'Even.' })
  @IsEven()
  even?: unknown;
  @RestArg({ description: 'Promised.' })
  @Transform(async ({ value }: TransformParams) => value ?? 'nothing')
  promised: unknown;
}

/** Parameters that another plugin adds while the server starts. */
class ExtendedQuery extends SeatsQuery {}
RestArg({ type: 'boolean', insertBefore: 'price', description: 'Aisle.' })(ExtendedQuery.prototype, 'aisle');
Min(3)(ExtendedQuery.prototype, 'row');

@RequiredArgs('copies')
class RequiredQuery extends SeatsQuery {}

class RequiredTooQuery extends RequiredQuery {}

@Controller(`${OWN_NAMESPACE}/seats`)
class SeatsController {
  @Get()
  list(@Parameters(SeatsQuery) query: SeatsQuery) {
    return { ...query };
  }

  @Get('extended')
  extended(@Parameters(ExtendedQuery) query: ExtendedQuery) {
    return { ...query };
  }

  @Get('required')
  required(@Parameters(RequiredTooQuery) query: RequiredTooQuery) {
    return { ...query };
  }
}

@Module({ imports: [HttpModule], controllers: [SeatsController] })
class SeatsModule {}

describe("a plugin's parameters", () => {
  let site: Site;
  let app: TestApp;
  beforeAll(async () => {
    site = await makeSite('SQLite');
    app = await startApp({ databaseUrl: site.url, plugins: [SeatsModule] });
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const get = async (path: string) => {
    const response = await fetch(`${app.url}/${OWN_NAMESPACE}/seats${path}`);
    return [response.status, await response.json()] as const;
  };
  const rejection = (params: Record<string, string>, details: unknown = []) => [
    400,
    {
      code: 'rest_invalid_param',
      message: `Invalid parameter(s): ${Object.keys(params).join(', ')}`,
      data: { status: 400, params, details },
    },
  ];

  it("are validated by class-validator's decorators, with their messages and context codes", async () => {
    expect(await get('?kind=roof&copies=0')).toEqual(
      rejection({
        copies: 'copies must not be less than 1',
        kind: 'kind must be one of the following values: stalls, circle',
      }),
    );
    const message = 'copies must not be greater than 9';
    expect(await get('?copies=10')).toEqual(
      rejection({ copies: message }, { copies: { code: 'too-many-copies', message, data: { status: 400 } } }),
    );
    expect(await get('?row=x')).toEqual(
      rejection({ row: 'row must be an integer number, row must not be less than 1' }),
    );
    expect(await get('?names[]=a&names[]=b&names[]=c')).toEqual(
      rejection({ names: 'names must contain no more than 2 elements' }),
    );
  });

  it('are checked for their types before their validators run', async () => {
    const message = 'copies is not of type integer.';
    expect(await get('?copies=x&kind=roof')).toEqual(
      rejection(
        { copies: message },
        { copies: { code: 'rest_invalid_type', message, data: { param: 'copies' } } },
      ),
    );
    expect(await get('?row=7&copies=3.0&kind=circle&names[]=Ann')).toEqual([
      200,
      { copies: 3, kind: 'circle', row: 7, price: 500, names: ['Ann!'], promised: 'nothing' },
    ]);
  });

  it('are optional unless @RequiredArgs names them', async () => {
    expect(await get('')).toEqual([200, { price: 500, promised: 'nothing' }]);
    expect(await get('/required?copies=2')).toEqual([200, { copies: 2, price: 500, promised: 'nothing' }]);
    expect(await get('/required')).toEqual([
      400,
      {
        code: 'rest_missing_callback_param',
        message: 'Missing parameter(s): copies',
        data: { status: 400, params: ['copies'] },
      },
    ]);
  });

  it('are validated by built-in checks and by custom checks that read the request, each run once', async () => {
    const page = 'page is no page.';
    expect(await get('?even=later&page=0&venue=53&copies=0')).toEqual(
      rejection(
        { venue: 'venue must be the id of an existing venue.', page, even: 'even is later than now.' },
        { page: { code: 'no-page', message: page, data: { status: 400 } } },
      ),
    );
    expect(checkedValues).toEqual(['later']);
    expect(await get('?even=3')).toEqual(rejection({ even: 'even must be even.' }));
    expect(await get('?even=4')).toMatchObject([200, { even: '4' }]);
  });

  it('are rejected with 400 when nested data would pass unchecked', async () => {
    expect(await get('?seats[0][row]=x&seats[0][constructor]=y')).toEqual(
      rejection({ seats: 'seats is not valid.' }),
    );
  });

  it('are extended by a derived class', async () => {
    expect(await get('/extended?aisle=TRUE&row=4')).toEqual([
      200,
      { row: 4, aisle: true, price: 500, promised: 'nothing' },
    ]);
    expect(await get('/extended?row=2')).toEqual(rejection({ row: 'row must not be less than 3' }));
    expect(await get('/extended?aisle=maybe')).toMatchObject([
      400,
      { data: { params: { aisle: 'aisle is not of type boolean.' } } },
    ]);
    expect(await get('?row=2&aisle=maybe')).toEqual([200, { row: 2, price: 500, promised: 'nothing' }]);
  });

  it('without @RestArg make @Parameters throw', () => {
    class Undeclared {
      @IsInt() copies?: number;
    }
    class Half extends SeatsQuery {
      @IsInt() copied?: number;
    }
    class Empty {}
    expect(() => Parameters(Undeclared)).toThrow('Undeclared declares no parameter copies: @RestArg');
    expect(() => Parameters(Half)).toThrow('Half declares no parameter copied: @RestArg');
    expect(() => Parameters(Empty)).toThrow('Empty declares no parameter: @RestArg');
  });
});
