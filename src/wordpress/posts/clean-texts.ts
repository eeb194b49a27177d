import { contentSavePre, excerptSavePre } from '../formatting/content-save-pre.js';
import { wpUnslash } from '../formatting/slashes.js';
import { tecSanitizeString } from '../formatting/tec-sanitize-string.js';
import { titleSavePre } from '../formatting/title-save-pre.js';

/** Cleans texts before they are stored: one layer of backslashes goes (W21), HTML by the writer's rights. */
export class TextCleaner {
  constructor(
    /** Whether the writer may store any HTML (capability `unfiltered_html`). */
    private readonly unfiltered: boolean,
    private readonly uploadsUrl: string,
  ) {}

  title(text: string): string {
    return titleSavePre(wpUnslash(text), this.unfiltered);
  }

  content(text: string): string {
    return contentSavePre(wpUnslash(text), this.unfiltered, { uploadsUrl: this.uploadsUrl });
  }

  excerpt(text: string): string {
    return excerptSavePre(wpUnslash(text), this.unfiltered, { uploadsUrl: this.uploadsUrl });
  }
}

/** A plain text for event meta: entities decoded, tags and one layer of backslashes removed. */
export function cleanMeta(text: string): string {
  return wpUnslash(tecSanitizeString(text));
}
