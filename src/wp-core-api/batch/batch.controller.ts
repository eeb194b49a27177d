import { Controller, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Parameters } from '../../http/params/parameters.js';
import { BATCH_BASE } from '../../http/rest-request.js';
import { RestResponse } from '../../http/rest-response.js';
import { Undocumented } from '../../http/undocumented.decorator.js';
import { BatchDto } from './batch.dto.js';
import { BatchService } from './batch.service.js';

/** WordPress's route for several writes. */
@Undocumented()
@Controller(BATCH_BASE)
export class BatchController {
  constructor(private readonly batch: BatchService) {}

  @Post()
  async run(@Parameters(BatchDto) batch: BatchDto, @Req() request: Request): Promise<RestResponse> {
    return new RestResponse(await this.batch.run(batch, request), 207);
  }
}
