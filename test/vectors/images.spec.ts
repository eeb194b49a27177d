import { fileUrl, imageObject } from '../../src/lib/wordpress-text/image-object.js';
import type { PhpValue } from '../../src/lib/wordpress-text/php-serialize.js';
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
      // The rows lack the type of attachments outside the fixture; their files are JPEG images.
      mimeType: mimeTypes.get(id) ?? 'image/jpeg',
      metadata: toPhp(input._wp_attachment_metadata ?? null),
    };
    return { expected: out, actual: imageObject(id, attachment, UPLOADS) };
  });

  it('omit empty members of the stored metadata', () => {
    const metadata = toPhp({ width: 9, height: 0, file: '2026/11/a.jpg', sizes: {}, image_meta: {} });
    const attachment = { file: '2026/11/a.jpg', mimeType: 'image/jpeg', metadata };
    expect(imageObject(7, attachment, UPLOADS)).toEqual({
      url: `${UPLOADS}/2026/11/a.jpg`,
      id: 7,
      extension: 'jpg',
      width: 9,
    });
  });

  it('depend on the stored type, not on the extension of the file', () => {
    const attachment = { file: 'x.jpg', mimeType: '', metadata: null };
    expect(imageObject(7, attachment, UPLOADS)).toEqual({ url: false, id: 7, extension: 'jpg' });
  });

  it('have sizes without a file name when the size or the attachment has no file', () => {
    const sizes = { medium: { width: 5 }, large: { file: 'a-9x9.jpg', width: 9 } };
    const metadata = toPhp({ file: '2026/11/a.jpg', sizes, image_meta: {} });
    const attachment = { file: '2026/11/a.jpg', mimeType: 'image/jpeg', metadata };
    expect(imageObject(7, attachment, UPLOADS)).toMatchObject({
      sizes: { medium: { url: `${UPLOADS}/2026/11/` }, large: { url: `${UPLOADS}/2026/11/a-9x9.jpg` } },
    });
    for (const file of ['', '0'])
      expect(imageObject(7, { ...attachment, file }, UPLOADS)).toEqual({
        id: 7,
        sizes: { medium: { width: 5, url: '' }, large: { width: 9, url: '' } },
      });
  });

  it('have a URL for files of any type, and the guid for an attachment without a file', () => {
    const guid = 'http://cdn.example/1';
    expect(fileUrl({ file: 'a.pdf', guid }, UPLOADS)).toBe(`${UPLOADS}/a.pdf`);
    expect(fileUrl({ file: '0', guid }, UPLOADS)).toBe(guid);
    expect(fileUrl(undefined, UPLOADS)).toBe(false);
  });

  it('have the URL false for a missing attachment', () => {
    expect(imageObject(7, undefined, UPLOADS)).toEqual({ url: false, id: 7, extension: '' });
  });
});
