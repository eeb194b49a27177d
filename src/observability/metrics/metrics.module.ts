import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics.service.js';
import { MetricsListener } from './metrics-server.js';

@Global()
@Module({ providers: [Metrics, MetricsListener], exports: [Metrics] })
export class MetricsModule {}
