/** What the server says of itself on the page (src/pages/editor/editor-page.ts). */
export interface Settings {
  /** The site's name. */
  site: string;
  /** The REST root, seen from the page. */
  rest: string;
  namespace: string;
  /** The site's time zone. */
  zone: string;
  readOnly: boolean;
  /** Days that what is trashed is kept; 0 deletes at once. */
  trashDays: number;
  /** Whether images are taken by URL. */
  imageUrls: boolean;
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
    readOnly: text('readOnly') === 'true',
    trashDays: Number(text('trashDays')),
    imageUrls: text('imageUrls') === 'true',
  };
}
