import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { CalendarModule } from '../calendar/calendar.module.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { AuthenticationMiddleware } from './authentication.middleware.js';
import { ErrorResponses, RestErrorFilter } from './errors/rest-error.filter.js';
import { LookupCache } from './params/lookup-cache.service.js';
import { ParameterReader, ParametersPipe } from './params/parameters.js';
import { RequestContexts } from './request-contexts.service.js';
import { ResponseCache } from './response-cache/response-cache.service.js';
import { ResponseKeys } from './response-cache/response-keys.service.js';
import { ResponseWriter } from './response-writer.service.js';
import { RestInterceptor } from './rest.interceptor.js';
import { RestDisabledMiddleware } from './rest-disabled.middleware.js';
import { Idempotency } from './safe-writes/idempotency.service.js';
import { IdempotencyRow } from './safe-writes/idempotency-row.entity.js';
import { BodyReader } from './server/body-reader.service.js';
import { Descriptors } from './server/descriptors.service.js';
import { GracefulShutdown } from './server/graceful-shutdown.service.js';
import { Pipeline } from './server/pipeline.service.js';
import { RequestLogger } from './server/request-logger.service.js';
import { StaticFiles } from './server/static-files.service.js';
import { SubRequests } from './server/sub-requests.service.js';

/** Reads requests and sends responses. */
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyRow]), WordPressModule, CalendarModule, AuthModule],
  providers: [
    ResponseWriter,
    BodyReader,
    Descriptors,
    Pipeline,
    ErrorResponses,
    ResponseCache,
    StaticFiles,
    SubRequests,
    ResponseKeys,
    LookupCache,
    ParameterReader,
    ParametersPipe,
    RequestContexts,
    RequestLogger,
    Idempotency,
    GracefulShutdown,
    { provide: APP_PIPE, useExisting: ParametersPipe },
    { provide: APP_INTERCEPTOR, useClass: RestInterceptor },
    { provide: APP_FILTER, useClass: RestErrorFilter },
  ],
  exports: [Idempotency, ResponseCache, StaticFiles, ParameterReader, RequestContexts, SubRequests],
})
export class HttpModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(AuthenticationMiddleware, RestDisabledMiddleware).forRoutes('{*path}');
  }
}
