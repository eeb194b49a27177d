import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JobQueue } from './job-queue.service.js';
import { JobRow } from './job-row.entity.js';
import { JobRunner } from './job-runner.service.js';
import { Jobs } from './jobs.service.js';

/** Jobs of plugins: a plugin whose module imports it gets the table of the queue by `almanac migrate`. */
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature([JobRow])],
  providers: [JobQueue, JobRunner, Jobs],
  exports: [Jobs],
})
export class JobsModule {}
