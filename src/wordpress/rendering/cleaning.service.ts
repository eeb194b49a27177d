import { Injectable } from '@nestjs/common';
import type { RenderedFor } from '../media/attachment-visibility.js';
import { type CleaningRights, TextCleaner, type TextKind } from '../posts/clean-texts.js';
import { isLong, mayGrowLong } from './long-text.js';
import { Renderer } from './renderer.service.js';
import { TextPool, TextsBusy } from './text-pool.js';

/** A text that a write will store, undefined where nothing was sent. */
export type TextToClean = readonly [kind: TextKind, text: string | undefined];

/** A text can not be stored, as it takes too much time or memory to clean or to show; answered with 400. */
export class TextTooHard extends Error {}

/** Deals with the long texts of a write before it begins: it must not hold its turn that long. */
@Injectable()
export class Cleaning {
  constructor(
    private readonly pool: TextPool,
    private readonly renderer: Renderer,
  ) {}

  /**
   * A cleaner that has the long ones of these texts ready. Contents are rendered once too, which is kept for their first
   * reader: one that nobody could be shown is refused with `TextTooHard`. `TextsBusy` when there is too much to do.
   */
  async prepare(
    context: RenderedFor,
    rights: CleaningRights,
    texts: readonly TextToClean[],
  ): Promise<TextCleaner> {
    const cleaned = new Map<TextKind, Map<string, string>>();
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
      throw error instanceof TextsBusy && error.isTextsFault ? new TextTooHard(error.message) : error;
    }
    return cleaner;
  }
}

/** Whether one of them is long. */
export function someLong(texts: readonly TextToClean[]): boolean {
  return texts.some(([, text]) => text !== undefined && isLong(text));
}
