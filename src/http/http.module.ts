import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AuthModule } from '../auth/auth.module.js';
import { CalendarModule } from '../calendar/calendar.module.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { Answers } from './answers.service.js';
import { AuthenticationMiddleware } from './authentication.middleware.js';
import { BodyReader } from './body-reader.service.js';
import { Descriptors } from './descriptors.service.js';
import { DirectReads } from './direct-reads.service.js';
import { ErrorAnswers } from './error-answers.service.js';
import { KeptAnswers } from './kept-answers.service.js';
import { KeptFiles } from './kept-files.service.js';
import { KeptKeys } from './kept-keys.service.js';
import { KeptLookups } from './kept-lookups.service.js';
import { ParameterReader, ParametersPipe } from './parameters.js';
import { RequestContexts } from './request-contexts.service.js';
import { RequestWatch } from './request-watch.service.js';
import { RestInterceptor } from './rest.interceptor.js';
import { RestErrorFilter } from './rest-error.filter.js';
import { RestSwitchMiddleware } from './rest-switch.middleware.js';
import { SignIn } from './sign-in.service.js';
import { Stopping } from './stopping.service.js';

/** How every request is read and every answer is sent. */
@Module({
  imports: [WordPressModule, CalendarModule, AuthModule],
  providers: [
    Answers,
    BodyReader,
    Descriptors,
    DirectReads,
    ErrorAnswers,
    KeptAnswers,
    KeptFiles,
    KeptKeys,
    KeptLookups,
    ParameterReader,
    ParametersPipe,
    RequestContexts,
    RequestWatch,
    SignIn,
    Stopping,
    { provide: APP_PIPE, useExisting: ParametersPipe },
    { provide: APP_INTERCEPTOR, useClass: RestInterceptor },
    { provide: APP_FILTER, useClass: RestErrorFilter },
  ],
  exports: [KeptAnswers, KeptFiles, ParameterReader, RequestContexts],
})
export class HttpModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(AuthenticationMiddleware, RestSwitchMiddleware).forRoutes('{*path}');
  }
}
