import { fitImage } from '../../src/wordpress/media/image-copies.js';
import { freeStem, nameInUrl, uploadName } from '../../src/wordpress/media/image-store.js';
import { mediaSettings } from '../../src/wordpress/media/media-settings.js';
import attachments from '../fixtures/vectors/fixture-attachments.json' with { type: 'json' };

// Copies are measured by the image as it came; only its proportions can be told from what was recorded.
const ORIGINALS: Readonly<Record<string, { width: number; height: number }>> = {
  hugeturned: { width: 2000, height: 3000 },
};

describe('the name of an upload', () => {
  it.each([
    ['http://x.test/a/Photo%201.JPG', 'Photo-1.jpg'],
    ['http://x.test/a/photo.jpeg?w=1#x', 'photo.jpeg'],
    ['http://x.test/photo.png', 'photo.jpg'],
    ['http://x.test/image.php?id=7', 'image.jpg'],
    ['http://x.test/shell.php.jpg', 'shell.php_.jpg'],
    ['http://x.test/shell.phtml.txt', 'shell.phtml_.jpg'],
    ['http://x.test/..%2f..%2fetc%2fpasswd', 'passwd.jpg'],
    ['http://x.test/..%5c..%5cboot.ini', 'boot.jpg'],
    ['http://x.test/.htaccess', 'image.jpg'],
    ['http://x.test/', 'image.jpg'],
    ['http://x.test/%00%0a%E2%80%AE.jpg', 'image.jpg'],
    ['http://x.test/B%C3%BChne.webp', 'Buhne.jpg'],
    ['http://x.test/%E0%A4%A', '%E0%A4%A'.replaceAll('%', '') + '.jpg'],
  ])('of %s is %s', (url, expected) => {
    const { stem, extension } = uploadName(nameInUrl(url), ['jpg', 'jpeg', 'jpe'], 'en_US');
    expect(`${stem}.${extension}`).toBe(expected);
  });

  it('is valid in a file system, for any URL', () => {
    for (const piece of ['日', 'a', '😀', '-', '.', '%20', '.php', '(', '_'])
      for (const end of ['', '.jpg']) {
        const from = performance.now();
        const { stem } = uploadName(
          nameInUrl(`http://x.test/${piece.repeat(20_000)}${end}`),
          ['jpg'],
          'de_DE',
        );
        expect(performance.now() - from).toBeLessThan(20_000);
        expect(stem).toMatch(/^[^./\\-][^/\\]*$/);
        expect(Buffer.byteLength(stem)).toBeLessThan(220);
      }
  });

  it.each([
    ['photo', [], 'photo'],
    ['photo', ['photo.png', 'photo-2.jpg'], 'photo'],
    ['photo', ['PHOTO.jpg'], 'photo-1'],
    ['photo', ['photo-150x150.jpg'], 'photo-1'],
    ['photo', ['photo-scaled.jpg', 'photo-1.jpg'], 'photo-2'],
    ['photo-150x150', [], 'photo-150x150-1'],
    ['photo-rotated', ['photo-rotated-1.jpg'], 'photo-rotated-2'],
  ])('%s beside %j becomes %s', (stem, existing, expected) =>
    expect(freeStem(stem, 'jpg', existing)).toBe(expected),
  );
});

describe('the copies of an image', () => {
  const option = (options: Record<string, string>) => (name: string, fallback?: string) =>
    options[name] ?? fallback ?? '';
  const { boxes } = mediaSettings(option({}));
  const images = attachments.flatMap(({ post_name, metadata }) => {
    if (typeof metadata !== 'object' || !('sizes' in metadata)) return [];
    const { width = 0, height = 0, sizes } = metadata;
    return [{ post_name, ...(ORIGINALS[post_name] ?? { width, height }), sizes }];
  });

  it('are compared with recorded images', () => expect(images.length).toBeGreaterThan(4));

  it.each(images)('of $post_name have the recorded names and sizes', ({ width, height, sizes }) => {
    const created = boxes.flatMap((box) => {
      const size = fitImage({ width, height }, box);
      return size ? [[box.name, size]] : [];
    });
    const recorded = Object.entries(sizes ?? {}).map(([name, size]) => [
      name,
      { width: size.width, height: size.height },
    ]);
    expect(created).toEqual(recorded);
  });

  it('follow the options', () => {
    const settings = mediaSettings(
      option({
        uploads_use_yearmonth_folders: '',
        thumbnail_crop: '0',
        thumbnail_size_w: '100',
        large_size_w: '0',
        large_size_h: '0',
      }),
    );
    expect(settings.yearMonthFolders).toBe(false);
    expect(settings.boxes.map(({ name }) => name)).toEqual([
      'medium',
      'thumbnail',
      'medium_large',
      '1536x1536',
      '2048x2048',
    ]);
    const thumbnail = settings.boxes.find(({ name }) => name === 'thumbnail');
    expect(thumbnail && fitImage({ width: 400, height: 200 }, thumbnail)).toEqual({ width: 100, height: 50 });
  });

  it('of wide and tall images have at least one pixel', () => {
    expect(fitImage({ width: 10_000, height: 1 }, { width: 300, height: 300, crop: false })).toEqual({
      width: 300,
      height: 1,
    });
    expect(fitImage({ width: 900, height: 100 }, { width: 150, height: 150, crop: true })).toEqual({
      width: 150,
      height: 100,
    });
  });
});
