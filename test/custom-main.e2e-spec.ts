import { type AddressInfo, connect } from 'node:net';
import {
  Body,
  type CallHandler,
  ClassSerializerInterceptor,
  Controller,
  type ExecutionContext,
  Get,
  Module,
  Post,
  RawBody,
  ValidationPipe,
  VersioningType,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createServer, OWN_NAMESPACE, readEnvironment } from 'almanac';
import { Exclude } from 'class-transformer';
import { map, type Observable } from 'rxjs';
import { canUseReplica } from '../src/common/context/abort.js';
import { makeSite, type Site } from './support/sites.js';

class Seat {
  place = 'A1';
  @Exclude() price = 5;
}

@Controller('seats')
class SeatsController {
  @Get()
  get() {
    return new Seat();
  }

  @Get('lag')
  lag() {
    return { lags: canUseReplica() };
  }

  @Post('paid')
  paid(@RawBody() raw: Buffer, @Body() body: object) {
    return { raw: raw.toString(), body };
  }
}

@Controller(`${OWN_NAMESPACE}/halls`)
class HallsController {
  @Get()
  list() {
    return ['Great hall'];
  }
}

@Module({ controllers: [SeatsController, HallsController] })
class SeatsModule {}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Records every response object and returns a copy of plain ones. */
class RecordingInterceptor {
  readonly seen: unknown[] = [];

  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map((value: unknown) => {
        this.seen.push(value);
        return isPlain(value) ? { ...value } : value;
      }),
    );
  }
}

describe('createServer in an application with its own main.ts', () => {
  let site: Site;
  let app: NestExpressApplication;
  let url: string;
  const recorder = new RecordingInterceptor();
  beforeAll(async () => {
    site = await makeSite('SQLite');
    const env = readEnvironment({ DATABASE_URL: site.url, SCHEDULER: 'off' });
    app = await createServer({ env, plugins: [SeatsModule], logger: false });
    app.setGlobalPrefix('api');
    app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
    app.useGlobalPipes(
      new ValidationPipe({ whitelist: true, transform: true, validateCustomDecorators: true }),
    );
    app.useGlobalInterceptors(recorder, new ClassSerializerInterceptor(app.get(Reflector)));
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const ask = async (path: string, init?: RequestInit) => {
    const { status, headers, ...reply } = await fetch(url + path, init).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    }));
    return { status, headers, text: reply.text, json: () => JSON.parse(reply.text) };
  };

  it('applies a global prefix and a default version to plugin routes and not to calendar routes', async () => {
    expect((await ask('/api/v1/seats')).json()).toEqual({ place: 'A1' });
    expect((await ask(`/${OWN_NAMESPACE}/halls`)).json()).toEqual(['Great hall']);
    for (const path of ['/', `/${OWN_NAMESPACE}`, '/wp/v2/types', '/calendar', '/docs', '/openapi.json'])
      expect([path, (await ask(path)).status]).toEqual([path, 200]);
    expect((await ask('/livez')).status).toBe(200);
    for (const path of [
      '/seats',
      '/api/seats',
      `/v1/${OWN_NAMESPACE}/events`,
      `/api/${OWN_NAMESPACE}/events`,
      '/api/none',
      '/none',
    ])
      expect([path, (await ask(path)).json()]).toEqual([
        path,
        expect.objectContaining({ code: 'rest_no_route', data: { status: 404 } }),
      ]);
    const { paths } = (await ask('/openapi.json')).json();
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/events', '/halls', '/api/v1/seats']));
  });

  it('rejects wrong credentials with 401 outside the global prefix', async () => {
    const headers = { Authorization: `Basic ${btoa('nobody:wrong')}` };
    expect(await ask(`/${OWN_NAMESPACE}/events`, { headers })).toMatchObject({ status: 401 });
  });

  it('passes response objects to global interceptors, which may return a copy', async () => {
    recorder.seen.length = 0;
    const { json, headers } = await ask(`/${OWN_NAMESPACE}/venues?per_page=2`);
    expect(recorder.seen).toEqual([json()]);
    expect(json()).toMatchObject({ total: 18, total_pages: 9 });
    expect(headers.get('content-type')).toBe('application/json; charset=UTF-8');
  });

  it('sends list headers and calendar files unchanged when an interceptor returns a copy', async () => {
    const list = await ask(`/${OWN_NAMESPACE}/events?per_page=2&orderby=title&start_date=2000-01-01`);
    expect(list.headers.get('x-tec-total')).toBe(String(list.json().total));
    expect(list.headers.get('x-tec-totalpages')).toBe(String(list.json().total_pages));
    expect(list.headers.get('link')).toContain('rel="next"');
    const file = await ask(`/${OWN_NAMESPACE}/events.ics`);
    expect(file.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(file.text).toMatch(/^BEGIN:VCALENDAR/);
  });

  it('gives each pipelined request a store of its own', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
    const paths = [`/${OWN_NAMESPACE}/venues?per_page=3`, '/api/v1/seats/lag'];
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
    let received = '';
    for await (const text of socket) {
      received += text;
      if (received.includes('{"lags":')) break;
    }
    expect(/\{"lags":.*\}/.exec(received)?.[0]).toBe('{"lags":false}');
  });

  it('passes the raw and the parsed body to handlers', async () => {
    const sent = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"a":  1}' };
    expect((await ask('/api/v1/seats/paid', sent)).json()).toEqual({ raw: '{"a":  1}', body: { a: 1 } });
  });
});
