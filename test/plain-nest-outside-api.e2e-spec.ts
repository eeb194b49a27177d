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

/** Sets the status of new posts without the right to publish to pending; must compile without a cast. */
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

describe('plain Nest outside the API namespaces', () => {
  let site: Site;
  let app: NestExpressApplication;
  let url: string;
  const logged: string[] = [];
  const log = (message: unknown) => void logged.push(String(message));
  const logger: LoggerService = { log: () => {}, error: log, warn: log };
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

  it('serves a plugin controller that has the name and path of a built-in one', async () => {
    const response = await fetch(`${url}/feeds/podcasts`);
    expect([response.status, await response.json()]).toEqual([200, ['First']]);
    expect((await fetch(`${url}/cal/events/v1/events.ics`)).status).toBe(200);
  });

  it('logs a route whose address is already taken', () => {
    expect(logged.filter((line) => line.includes('LateController'))).toEqual([
      expect.stringContaining('/calendar'),
    ]);
  });

  it('responds 500 and logs an error for @Parameters outside the namespaces', async () => {
    expect((await fetch(`${url}/feeds/events`)).status).toBe(500);
    expect(logged.join()).toContain(
      'GET /feeds/events takes @Parameters, which are read below cal/events/v1 alone',
    );
  });

  it('passes results and errors of non-HTTP handlers such as GraphQL resolvers to their caller', async () => {
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

  it('allows work started in a transaction to run its own transaction afterwards', async () => {
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
