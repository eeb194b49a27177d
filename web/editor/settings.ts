import type { EditorSettings } from '../../src/pages/editor/editor-settings.js';

/** What the server says of itself on the page. */
export interface Settings extends EditorSettings {
  /** The site's name. */
  site: string;
}

/** An element with `data-` attributes. */
interface Marked {
  dataset: Readonly<Record<string, string | undefined>>;
}

/** Reads the attributes of the page's one element. */
export function readSettings({ dataset }: Marked): Settings {
  const text = (name: string) => dataset[name] ?? '';
  return {
    site: text('site'),
    rest: text('rest'),
    namespace: text('namespace'),
    zone: text('zone'),
    firstDay: Number(text('firstDay')),
    readOnly: text('readOnly') === 'true',
    trashDays: Number(text('trashDays')),
    imageUrls: text('imageUrls') === 'true',
    recurrenceOff: text('recurrenceOff'),
    session: text('session'),
    forms: text('forms'),
  };
}
