import { LIST_EN } from './editor/list-en.js';
import { MONTH_EN } from './editor/month-en.js';
import { MOVE_EN } from './editor/move-en.js';

/** English texts of the editor by area; each area has its translations in the table of its name. */
export const EDITOR_EN = { list: LIST_EN, month: MONTH_EN, move: MOVE_EN };

/** Texts of the editor in one language. */
export type EditorTexts = typeof EDITOR_EN;
