import { Global, Module } from '@nestjs/common';
import { PrimaryLink } from './primary-link.service.js';
import { RedisLink } from './redis-link.service.js';

/** What processes that serve one site have with each other: notices of commits, and the count of failed sign-ins. */
@Global()
@Module({ providers: [PrimaryLink, RedisLink], exports: [PrimaryLink, RedisLink] })
export class ClusterModule {}
