import { Injectable } from '@nestjs/common';
import { PlainPostsService, PostResourceDeps } from 'almanac';
import { SERIES } from './series-type.js';

/** Lists, reads and writes series. */
@Injectable()
export class SeriesService extends PlainPostsService<'series'> {
  constructor(tools: PostResourceDeps) {
    super(SERIES, tools);
  }
}
