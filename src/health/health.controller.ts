import { Controller, Get, Header, Res, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService } from '@nestjs/terminus';
import type { Response } from 'express';
import { Undocumented } from '../http/undocumented.decorator.js';
import { Readiness } from './readiness.service.js';

/** Probes for orchestrators, outside the namespaces and public (docs/operating.md#probes). */
@Undocumented()
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly readiness: Readiness,
  ) {}

  /** Responds if the process runs. */
  @Get('livez')
  @Header('Cache-Control', 'no-store')
  alive() {
    return { status: 'ok' };
  }

  /** Whether requests can be served: 200, or 503 with the failing checks. */
  @Get('readyz')
  @Header('Cache-Control', 'no-store')
  async ready(@Res({ passthrough: true }) response: Response) {
    try {
      return await this.health.check(this.readiness.indicators());
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      response.status(503);
      return error.getResponse();
    }
  }
}
