import { Global, Module } from '@nestjs/common';
import { MetricsListener } from './metrics-listener.js';
import { Metrics } from './metrics.service.js';

/** What is counted, and where that is read. */
@Global()
@Module({ providers: [Metrics, MetricsListener], exports: [Metrics] })
export class MetricsModule {}
