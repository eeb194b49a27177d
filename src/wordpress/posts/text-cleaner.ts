import { wpUnslash } from '../../lib/wordpress-text/formatting/esc-html.js';
import {
  contentSavePre,
  preTermDescription,
  preTermName,
  sanitizeTextField,
  tecSanitizeString,
  titleSavePre,
} from '../../lib/wordpress-text/formatting/sanitize.js';

/** What the sanitizing of HTML depends on. */
export interface CleaningRights {
  /** Whether the user has the capability `unfiltered_html`. */
  unfiltered: boolean;
  uploadsUrl: string;
}

const content = (text: string, { unfiltered, uploadsUrl }: CleaningRights): string =>
  contentSavePre(wpUnslash(text), unfiltered, uploadsUrl);

/** The sanitizer of each kind of text; one level of backslashes is removed (W21). */
const CLEANERS = {
  title: (text: string, { unfiltered }: CleaningRights) => titleSavePre(wpUnslash(text), unfiltered),
  content,
  excerpt: content,
  /** A plain text for event meta: entities decoded, tags removed. */
  meta: (text: string) => wpUnslash(tecSanitizeString(text)),
  /** A line of plain text for the meta of venues and organizers. */
  line: (text: string) => wpUnslash(sanitizeTextField(text)),
  termName: preTermName,
  termDescription: preTermDescription,
} as const;

export type TextKind = keyof typeof CLEANERS;

export function cleanText(kind: TextKind, text: string, rights: CleaningRights): string {
  return CLEANERS[kind](text, rights);
}

/** Sanitizes texts for storage; long ones were sanitized beforehand, on threads, and are looked up. */
export class TextCleaner {
  constructor(
    readonly rights: CleaningRights = { unfiltered: false, uploadsUrl: '' },
    private readonly cleaned: ReadonlyMap<TextKind, ReadonlyMap<string, string>> = new Map(),
  ) {}

  clean(kind: TextKind, text: string): string {
    return this.cleaned.get(kind)?.get(text) ?? cleanText(kind, text, this.rights);
  }
}

/** The cleaner for texts that do not depend on rights. */
export const DEFAULT_CLEANER = new TextCleaner();
