import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { ProbesController } from './probes.controller.js';
import { Readiness } from './readiness.service.js';

/** `/livez` and `/readyz`. */
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [ProbesController],
  providers: [Readiness],
})
export class ProbesModule {}
