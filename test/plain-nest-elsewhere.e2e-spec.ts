import type { AddressInfo } from 'node:net';
import { Controller, Get, type LoggerService, Module } from '@nestjs/common';
import { ExternalContextCreator } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import {
  createServer,
  EVENT,
  Hooks,
  ListEventsQuery,
  Parameters,
  postHooks,
  readEnvironment,
  Transactions,
} from 'almanac';
import { makeSite, type Site } from './support/sites.js';

@Controller('feeds')
class FeedsController {
  @Get('podcasts')
  podcasts() {
    return ['First'];
  }

  @Get('events')
  events(@Parameters(ListEventsQuery) query: ListEventsQuery) {
    return query;
  }
}

@Controller('calendar')
class LateController {
  @Get()
  page() {
    return 'never shown';
  }
}

class Resolver {
  found() {
    return 'found';
  }
  missing() {
    throw new RangeError('Too far.');
  }
}

/** Moderation as one writes it: what is sent is a literal of the field's type. */
@Module({})
class ModerationModule {
  constructor(hooks: Hooks) {
    hooks.addFilter(postHooks(EVENT).preInsert, (fields, { before, context }) => {
      if (before === undefined && !context.access.can('edit_others_tribe_events'))
        return { ...fields, status: 'pending' };
      return fields;
    });
  }
}

@Module({ imports: [ModerationModule], controllers: [FeedsController, LateController] })
class ElsewhereModule {}

describe('what plugins have beside the interface', () => {
  let site: Site;
  let app: NestExpressApplication;
  let url: string;
  const told: string[] = [];
  const tell = (message: unknown) => void told.push(String(message));
  const logger: LoggerService = { log: () => {}, error: tell, warn: tell };
  beforeAll(async () => {
    site = await makeSite('SQLite');
    const env = readEnvironment({ DATABASE_URL: site.url, SCHEDULER: 'off' });
    app = await createServer({ env, plugins: [ElsewhereModule], logger });
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it('a controller may be called as parts of ours are', async () => {
    const answer = await fetch(`${url}/feeds/podcasts`);
    expect([answer.status, await answer.json()]).toEqual([200, ['First']]);
    expect((await fetch(`${url}/cal/events/v1/events.ics`)).status).toBe(200);
  });

  it('the log says of a route that there is one of that address', () => {
    expect(told.filter((line) => line.includes('LateController'))).toEqual([
      expect.stringContaining('/calendar'),
    ]);
  });

  it('the log says where parameters are read', async () => {
    expect((await fetch(`${url}/feeds/events`)).status).toBe(500);
    expect(told.join()).toContain(
      'GET /feeds/events takes @Parameters, which are read below cal/events/v1 alone',
    );
  });

  it('what is no HTTP, such as a resolver of GraphQL, is answered by whoever called it', async () => {
    const call = (method: 'found' | 'missing') => {
      const resolver = new Resolver();
      const creator = app.get(ExternalContextCreator);
      const options = { guards: true, filters: true, interceptors: true };
      return creator.create(
        resolver,
        resolver[method],
        method,
        undefined,
        undefined,
        undefined,
        undefined,
        options,
        'graphql',
      )(undefined, {}, {});
    };
    expect(await call('found')).toBe('found');
    await expect(call('missing')).rejects.toThrow(new RangeError('Too far.'));
  });

  it('what a write only begins may write when it is over', async () => {
    const transactions = app.get(Transactions);
    let later: Promise<unknown> | undefined;
    await transactions.run(async () => {
      later = new Promise((resolve) => setTimeout(resolve, 300)).then(() =>
        transactions.run(async () => 'written'),
      );
    });
    expect(await later).toBe('written');
  });
});
