import { contentSavePre } from '../../lib/wordpress-text/formatting/content-save-pre.js';
import { preTermDescription, preTermName } from '../../lib/wordpress-text/formatting/sanitize-term.js';
import { sanitizeTextField } from '../../lib/wordpress-text/formatting/sanitize-text-field.js';
import { wpUnslash } from '../../lib/wordpress-text/formatting/slashes.js';
import { tecSanitizeString } from '../../lib/wordpress-text/formatting/tec-sanitize-string.js';
import { titleSavePre } from '../../lib/wordpress-text/formatting/title-save-pre.js';

/** What decides how a writer's HTML is cleaned. */
export interface CleaningRights {
  /** Whether the writer may store any HTML (capability `unfiltered_html`). */
  unfiltered: boolean;
  uploadsUrl: string;
}

/** What is stored of each kind of text: one layer of backslashes goes (W21), HTML by the writer's rights. */
const CLEANERS = {
  title: (text: string, { unfiltered }: CleaningRights) => titleSavePre(wpUnslash(text), unfiltered),
  content: (text: string, { unfiltered, uploadsUrl }: CleaningRights) =>
    contentSavePre(wpUnslash(text), unfiltered, uploadsUrl),
  excerpt: (text: string, { unfiltered, uploadsUrl }: CleaningRights) =>
    contentSavePre(wpUnslash(text), unfiltered, uploadsUrl),
  /** A plain text for event meta: entities decoded, tags removed. */
  meta: (text: string) => wpUnslash(tecSanitizeString(text)),
  /** A text as the meta of venues and organizers holds it: one plain line. */
  line: (text: string) => wpUnslash(sanitizeTextField(text)),
  termName: (text: string) => preTermName(text),
  termDescription: (text: string) => preTermDescription(text),
} as const;

/** The kinds of texts that are stored, each cleaned in its own way. */
export type TextKind = keyof typeof CLEANERS;

/** A text as it is stored. */
export function cleanText(kind: TextKind, text: string, rights: CleaningRights): string {
  return CLEANERS[kind](text, rights);
}

/** Cleans texts before they are stored; those that were cleaned beforehand, which long ones are, it only hands out. */
export class TextCleaner {
  constructor(
    readonly rights: CleaningRights = { unfiltered: false, uploadsUrl: '' },
    private readonly cleaned: ReadonlyMap<TextKind, ReadonlyMap<string, string>> = new Map(),
  ) {}

  clean(kind: TextKind, text: string): string {
    return this.cleaned.get(kind)?.get(text) ?? cleanText(kind, text, this.rights);
  }
}

/** For texts that need no rights. */
export const IN_PLACE = new TextCleaner();
