import { Injectable } from '@nestjs/common';
import { PlainPostsService, PostResourceDeps } from 'almanac';
import { SPEAKER } from './speaker-type.js';

/** Lists, reads and writes speakers. */
@Injectable()
export class SpeakersService extends PlainPostsService<'speakers'> {
  constructor(tools: PostResourceDeps) {
    super(SPEAKER, tools);
  }
}
