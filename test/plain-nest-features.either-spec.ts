import {
  All,
  Body,
  ClassSerializerInterceptor,
  ConfigurableModuleBuilder,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  forwardRef,
  Get,
  Head,
  Header,
  HttpCode,
  Inject,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestMiddleware,
  NotFoundException,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Options,
  Param,
  Post,
  Req,
  Res,
  Scope,
  UploadedFile,
  UseInterceptors,
  ValidationPipe,
} from '@nestjs/common';
import { APP_GUARD, APP_PIPE, REQUEST, RouterModule } from '@nestjs/core';
import { FileInterceptor } from '@nestjs/platform-express';
import { Exclude, Expose } from 'class-transformer';
import type { NextFunction, Request, Response } from 'express';
import { startApp, type TestApp } from './support/app.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const EVENTS = '/cal/events/v1/events';

class Member {
  @Expose() name = 'Ann';
  @Exclude() password = 'secret';
  @Expose({ groups: ['staff'] }) phone = '1';
}

const Agent = createParamDecorator((part: 'length' | undefined, context: ExecutionContext) => {
  const agent = context.switchToHttp().getRequest<Request>().get('user-agent') ?? '';
  return part ? agent[part] : agent;
});

@Injectable({ scope: Scope.REQUEST })
class PerRequest {
  constructor(@Inject(REQUEST) readonly request: Request) {}
}

@Injectable()
class Chicken {
  constructor(@Inject(forwardRef(() => Egg)) readonly egg: object) {}
}
@Injectable()
class Egg {
  constructor(@Inject(forwardRef(() => Chicken)) readonly chicken: object) {}
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<{
  from: string;
}>().build();
@Injectable()
class Mailer {
  constructor(@Inject(MODULE_OPTIONS_TOKEN) readonly options: { from: string }) {}
}
@Module({ providers: [Mailer], exports: [Mailer] })
class MailModule extends ConfigurableModuleClass {}

@Injectable()
class Stamp implements NestMiddleware {
  constructor(private readonly mailer: Mailer) {}

  use(request: Request, response: Response, next: NextFunction): void {
    if (request.query['shop']) throw new NotFoundException('No such shop.');
    response.setHeader('X-From', this.mailer.options.from);
    next();
  }
}

const lifecycle: string[] = [];
@Injectable()
class Life implements OnApplicationBootstrap, OnApplicationShutdown {
  onApplicationBootstrap(): void {
    lifecycle.push('begun');
  }
  onApplicationShutdown(): void {
    lifecycle.push('ended');
  }
}

@Controller('desk')
class DeskController {
  constructor(
    private readonly own: PerRequest,
    private readonly chicken: Chicken,
  ) {}

  @Get()
  get(@Agent() agent: string, @Agent('length') length: number) {
    const { originalUrl } = this.own.request;
    return { agent, length, originalUrl, egg: this.chicken.egg.constructor.name };
  }

  @Get('member')
  @UseInterceptors(ClassSerializerInterceptor)
  member() {
    return new Member();
  }

  @Post('files')
  @UseInterceptors(FileInterceptor('file', { limits: { fileSize: 10 } }))
  upload(@UploadedFile() file: { originalname: string; buffer: Buffer }, @Body() body: object) {
    return { name: file.originalname, text: file.buffer.toString(), body };
  }

  @Get('cookie')
  cookie(@Res({ passthrough: true }) response: Response) {
    response.cookie('seen', 'yes').status(202);
    return { shown: true };
  }

  @Head('head')
  @Header('X-Head', 'only')
  head() {}

  @Options('options')
  @Header('Allow', 'GET, PROPFIND')
  @HttpCode(204)
  options() {}

  @All('all')
  all(@Req() { method }: Request) {
    return { method };
  }

  @Get('below/*path')
  below(@Param('path') path: string[]) {
    return { path };
  }
}

@Module({
  imports: [MailModule.registerAsync({ useFactory: async () => ({ from: 'shop@example.org' }) })],
  controllers: [DeskController],
  providers: [
    PerRequest,
    Chicken,
    Egg,
    Life,
    { provide: APP_PIPE, useValue: new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }) },
    {
      provide: APP_GUARD,
      useValue: {
        canActivate: (context: ExecutionContext) =>
          !context.switchToHttp().getRequest<Request>().get('x-banned'),
      },
    },
  ],
})
class DeskModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(Stamp).forRoutes(DeskController);
  }
}

@Module({ imports: [DeskModule, RouterModule.register([{ path: 'shop', module: DeskModule }])] })
class ShopModule {}

describeEither('Nest features in a plugin', (database) => {
  let site: Site;
  let app: TestApp;
  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, plugins: [ShopModule] });
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const ask = async (path: string, init?: RequestInit) => {
    const reply = await fetch(`${app.url}${path}`, init);
    const text = await reply.text();
    return { reply, text, json: () => JSON.parse(text) };
  };

  it('include RouterModule paths, request-scoped providers, circular injection and parameter decorators', async () => {
    const { json } = await ask('/shop/desk?a=1', { headers: { 'User-Agent': 'me' } });
    expect(json()).toEqual({ agent: 'me', length: 2, originalUrl: '/shop/desk?a=1', egg: 'Egg' });
    expect((await ask('/desk')).reply.status).toBe(404);
  });

  it('include middleware with async module options that may throw exceptions', async () => {
    const { reply } = await ask('/shop/desk');
    expect(reply.headers.get('x-from')).toBe('shop@example.org');
    const rejected = await ask('/shop/desk?shop=2');
    expect(rejected.json()).toEqual({
      code: 'rest_not_found',
      message: 'No such shop.',
      data: { status: 404 },
    });
  });

  it('include ClassSerializerInterceptor', async () => {
    expect((await ask('/shop/desk/member')).json()).toEqual({ name: 'Ann' });
  });

  it('include Multer uploads, with 413 for a file past the limit', async () => {
    const form = (text: string) => {
      const sent = new FormData();
      sent.append('file', new Blob([text]), 'a.txt');
      sent.append('kind', 'b');
      return { method: 'POST', body: sent };
    };
    expect((await ask('/shop/desk/files', form('short'))).json()).toEqual({
      name: 'a.txt',
      text: 'short',
      body: { kind: 'b' },
    });
    expect((await ask('/shop/desk/files', form('x'.repeat(11)))).json()).toMatchObject({
      code: 'rest_payload_too_large',
      data: { status: 413 },
    });
  });

  it('include passthrough responses that set a cookie and a status', async () => {
    const { reply, json } = await ask('/shop/desk/cookie');
    expect([reply.status, reply.headers.get('set-cookie'), json()]).toEqual([
      202,
      'seen=yes; Path=/',
      { shown: true },
    ]);
  });

  it('include @Head, @Options, @All and wildcard paths', async () => {
    const head = await ask('/shop/desk/head', { method: 'HEAD' });
    expect([head.reply.status, head.reply.headers.get('x-head')]).toEqual([200, 'only']);
    const options = await ask('/shop/desk/options', { method: 'OPTIONS' });
    expect([options.reply.status, options.reply.headers.get('allow')]).toEqual([204, 'GET, PROPFIND']);
    expect((await ask('/shop/desk/all', { method: 'DELETE' })).json()).toEqual({ method: 'DELETE' });
    expect((await ask('/shop/desk/below/a/b%20c')).json()).toEqual({ path: ['a', 'b c'] });
  });

  it('include global guards and pipes, which apply to cached calendar responses, too', async () => {
    for (const _ of [1, 2]) {
      expect((await ask(`${EVENTS}?per_page=1&odd=1`)).json()).toMatchObject({ total: expect.any(Number) });
      expect((await ask(`${EVENTS}?per_page=1&odd=1`, { headers: { 'X-Banned': '1' } })).json()).toEqual({
        code: 'rest_forbidden',
        message: 'Forbidden resource',
        data: { status: 403 },
      });
    }
  });

  it('include bootstrap and shutdown hooks', async () => {
    expect(lifecycle).toEqual(['begun']);
    await app.close();
    expect(lifecycle).toEqual(['begun', 'ended']);
  });
});
