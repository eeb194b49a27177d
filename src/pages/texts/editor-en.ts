import { AUTHORS_EN } from './editor/authors-en.js';
import { FIELDS_EN } from './editor/fields-en.js';
import { FORM_EN } from './editor/form-en.js';
import { FRAME_EN } from './editor/frame-en.js';
import { IMAGES_EN } from './editor/images-en.js';
import { LIST_EN } from './editor/list-en.js';
import { MONTH_EN } from './editor/month-en.js';
import { MOVE_EN } from './editor/move-en.js';
import { NOUNS_EN } from './editor/nouns-en.js';
import { PREVIEW_EN } from './editor/preview-en.js';
import { SERIES_EN } from './editor/recurrence-en.js';
import { REVISIONS_EN } from './editor/revisions-en.js';
import { RICH_TEXT_EN } from './editor/richText-en.js';
import { STATUSES_EN } from './editor/statuses-en.js';
import type { RecurrenceTexts } from './recurrence-en.js';

/** English texts of the editor by area; each area has its translations in the table of its name. */
export const EDITOR_EN = {
  authors: AUTHORS_EN,
  fields: FIELDS_EN,
  form: FORM_EN,
  frame: FRAME_EN,
  images: IMAGES_EN,
  list: LIST_EN,
  month: MONTH_EN,
  move: MOVE_EN,
  nouns: NOUNS_EN,
  preview: PREVIEW_EN,
  recurrence: SERIES_EN,
  revisions: REVISIONS_EN,
  richText: RICH_TEXT_EN,
  statuses: STATUSES_EN,
};

/** Texts of the editor in one language. */
export type EditorTexts = typeof EDITOR_EN;

/** What the page carries for its script. */
export interface EditorCatalogue extends EditorTexts {
  /** Texts of recurrence rules. */
  rules: RecurrenceTexts;
}
