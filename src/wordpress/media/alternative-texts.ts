import type { Database } from '../../database/database.js';
import { metaOf } from '../posts/post-rows.js';

const ALT_KEY = '_wp_attachment_image_alt';

/** The alternative texts of the images of records, by the image's id; an image without one is left out. */
export async function alternativeTexts(
  database: Database,
  records: readonly { image?: { id: number } | false }[],
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(records.flatMap(({ image }) => (image ? [image.id] : [])));
  const meta = await metaOf(database, 'post', [...ids], { keys: [ALT_KEY] });
  return new Map(
    [...ids].flatMap((id) => {
      const text = meta.get(id)?.get(ALT_KEY)?.[0];
      return text ? [[id, text] as const] : [];
    }),
  );
}
