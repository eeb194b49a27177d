import { AUTHORS_EN } from './editor/authors-en.js';
import { MONTH_EN } from './editor/month-en.js';

/** English texts of the editor by area; each area has its translations in the table of its name. */
export const EDITOR_EN = { authors: AUTHORS_EN, month: MONTH_EN };

/** Texts of the editor in one language. */
export type EditorTexts = typeof EDITOR_EN;
