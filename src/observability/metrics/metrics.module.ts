import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics.service.js';
import { MetricsListener } from './metrics-listener.js';

/** What is counted, and where that is read. */
@Global()
@Module({ providers: [Metrics, MetricsListener], exports: [Metrics] })
export class MetricsModule {}
