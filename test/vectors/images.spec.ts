import { imageObject } from '../../src/wordpress/media/image-object.js';
import type { PhpValue } from '../../src/wordpress/options/php-serialize.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

interface Row {
  in: { attachment_id: number | null; _wp_attached_file?: string; _wp_attachment_metadata?: unknown };
  out: unknown;
}

interface Fixture {
  ID: number;
  post_mime_type: string;
}

const UPLOADS = 'http://events.example.test/wp-content/uploads';
const mimeTypes = new Map(
  loadVectors<Fixture[]>('fixture-attachments').map((fixture) => [fixture.ID, fixture.post_mime_type]),
);

function toPhp(value: unknown): PhpValue {
  if (value === null || typeof value !== 'object') return value as PhpValue;
  return new Map(Object.entries(value).map(([key, member]) => [key, toPhp(member)]));
}

describe('images', () => {
  proveVectors('rest_image', loadVectors<Row[]>('rest_image'), ({ in: input, out }) => {
    const id = input.attachment_id ?? 0;
    const attachment = {
      file: input._wp_attached_file ?? '',
      mimeType: mimeTypes.get(id) ?? '',
      metadata: toPhp(input._wp_attachment_metadata ?? null),
    };
    return { expected: out, actual: imageObject(id, attachment, UPLOADS) };
  });

  it('drops what the stored metadata leaves empty', () => {
    const metadata = toPhp({ width: 9, height: 0, file: '2026/11/a.jpg', sizes: {}, image_meta: {} });
    const attachment = { file: '2026/11/a.jpg', mimeType: 'image/jpeg', metadata };
    expect(imageObject(7, attachment, UPLOADS)).toEqual({
      url: `${UPLOADS}/2026/11/a.jpg`,
      id: 7,
      extension: 'jpg',
      width: 9,
    });
  });

  it('has no address for an attachment that is gone', () => {
    expect(imageObject(7, undefined, UPLOADS)).toEqual({ url: false, id: 7, extension: '' });
  });
});
