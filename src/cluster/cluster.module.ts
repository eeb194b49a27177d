import { Global, Module } from '@nestjs/common';
import { PrimaryLink } from './primary-link.service.js';
import { RedisLink } from './redis-link.service.js';

/** Communication between processes of one site: notices of commits, and the shared count of failed logins. */
@Global()
@Module({ providers: [PrimaryLink, RedisLink], exports: [PrimaryLink, RedisLink] })
export class ClusterModule {}
