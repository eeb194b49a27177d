import type { TermErrorCode } from './plan-term-insert.js';

/** A term can not be written as asked; nothing was. `termId` is the term that exists already. */
export class TermRefused extends Error {
  constructor(
    readonly code: TermErrorCode | 'duplicate_term_slug',
    readonly termId?: number,
  ) {
    super(code);
  }
}
