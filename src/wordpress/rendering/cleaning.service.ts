import { Injectable } from '@nestjs/common';
import { type CleaningRights, TextCleaner, type TextKind } from '../posts/clean-texts.js';
import { isLong } from './long-text.js';
import { LongTexts } from './long-texts.service.js';

/** A text that a write will store, undefined where nothing was sent. */
export type TextToClean = readonly [kind: TextKind, text: string | undefined];

/** Cleans long texts on a thread before a write begins, which must not hold its turn that long. */
@Injectable()
export class Cleaning {
  constructor(private readonly longTexts: LongTexts) {}

  /** A cleaner that has the long ones of these texts ready; `TextsBusy` when there is too much to do. */
  async prepare(rights: CleaningRights, texts: readonly TextToClean[]): Promise<TextCleaner> {
    const cleaned = new Map<TextKind, Map<string, string>>();
    for (const [kind, text] of texts) {
      if (text === undefined || !isLong(text) || cleaned.get(kind)?.has(text)) continue;
      const results = cleaned.get(kind) ?? new Map<string, string>();
      cleaned.set(kind, results.set(text, await this.longTexts.once('clean', { kind, text, rights })));
    }
    return new TextCleaner(rights, cleaned);
  }
}

/** Whether one of them is long. */
export function someLong(texts: readonly TextToClean[]): boolean {
  return texts.some(([, text]) => text !== undefined && isLong(text));
}
