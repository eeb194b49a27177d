import { Injectable } from '@nestjs/common';
import { RestException } from '../../common/errors/rest-exception.js';
import type { RenderedFor } from '../media/attachments.service.js';
import { TextCleaner, type TextKind } from '../posts/text-cleaner.js';
import { isLong, mayGrowLong } from './long-texts.service.js';
import { Renderer } from './renderer.service.js';
import { TextPool, TextsBusy } from './text-pool.js';

/** A text of a write, undefined if it was not sent. */
export type TextToClean = readonly [kind: TextKind, text: string | undefined];

/** A text cannot be rendered, and so not stored. */
const tooHard = () =>
  new RestException('invalid', 'text_too_hard', 'A text takes too much time or memory to be shown.');

/** Cleans the long texts of a write before it takes the write lock. */
@Injectable()
export class Cleaning {
  constructor(
    private readonly pool: TextPool,
    private readonly renderer: Renderer,
  ) {}

  /** A cleaner with the results for long texts; contents are rendered once, to reject those too hard. */
  async prepare(
    context: RenderedFor & { cleaner: TextCleaner },
    texts: readonly TextToClean[],
  ): Promise<TextCleaner> {
    const cleaned = new Map<TextKind, Map<string, string>>();
    const { rights } = context.cleaner;
    const cleaner = new TextCleaner(rights, cleaned);
    try {
      for (const [kind, text] of texts) {
        if (text === undefined) continue;
        if (isLong(text) && !cleaned.get(kind)?.has(text)) {
          const results = cleaned.get(kind) ?? new Map<string, string>();
          cleaned.set(kind, results.set(text, await this.pool.run('clean', { kind, text, rights })));
        }
        if (kind === 'content' && mayGrowLong(text))
          await this.renderer.tryOut(cleaner.clean(kind, text), context);
      }
    } catch (error) {
      throw error instanceof TextsBusy && error.isTextsFault ? tooHard() : error;
    }
    return cleaner;
  }
}
