import { EXIF, imageMeta, readExif } from '../../src/wordpress/media/exif.js';
import { imageType } from '../../src/wordpress/media/image-type.js';
import { imageBytes, type TestImageKind } from '../support/image-bytes.js';

const KINDS: TestImageKind[] = ['jpeg', 'png', 'gif', 'webp', 'avif'];

describe('the type of an image', () => {
  it.each(KINDS)('has type and size from its bytes: %s', async (kind) => {
    const type = imageType(await imageBytes(kind, 123, 45));
    expect(type).toMatchObject({ kind, mimeType: `image/${kind}`, width: 123, height: 45 });
  });

  it('is read from lossless and extended WebP', async () => {
    const { default: sharp } = await import('sharp');
    const background = { r: 1, g: 2, b: 3, alpha: 0.5 };
    const image = sharp({ create: { width: 300, height: 200, channels: 4, background } });
    for (const lossless of [true, false]) {
      const bytes = await image.clone().webp({ lossless }).toBuffer();
      expect(imageType(bytes)).toMatchObject({ kind: 'webp', width: 300, height: 200 });
    }
  });

  it('is read from JPEG of every coding', async () => {
    const bytes = await imageBytes('jpeg', 123, 45);
    const frame = bytes.indexOf('\xff\xc0', 'latin1');
    for (const coding of [0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15]) {
      bytes[frame + 1] = 0xc0 + coding;
      expect(imageType(bytes)).toMatchObject({ kind: 'jpeg', width: 123, height: 45 });
    }
  });

  it.each(['avif', 'avis', 'mif1'])('is read from AVIF of the brand %s', async (brand) => {
    const bytes = await imageBytes('avif', 123, 45);
    bytes.write(brand, 8, 'latin1');
    expect(imageType(bytes)).toMatchObject({ kind: 'avif', width: 123, height: 45 });
  });

  it.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['HTML', '<!DOCTYPE html><html><img src=x></html>'],
    ['SVG', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['SVG with a mark', '\xef\xbb\xbf<svg/>'],
    ['PHP', '<?php phpinfo();'],
    ['a PDF', '%PDF-1.7'],
    ['a BMP', 'BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0'],
    ['a HEIC', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['an MP4', '\0\0\0\x18ftypisom\0\0\0\0isomavc1'],
    ['an empty PNG', `\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR${'\0'.repeat(8)}`],
    ['half a GIF', 'GIF89a\x01'],
    ['half a JPEG', '\xff\xd8\xff\xe0\0\x10JFIF'],
    ['half a WebP', 'RIFF\0\0\0\0WEBPVP8 '],
    ['half an AVIF', '\0\0\0\x18ftypavif\0\0\0\0mif1miaf'],
  ])('is rejected for %s', (_, text) => expect(imageType(Buffer.from(text, 'latin1'))).toBeUndefined());

  it('is never read beyond the end', async () => {
    for (const kind of KINDS) {
      const whole = await imageBytes(kind, 64, 32, { orientation: 6 });
      for (let length = 0; length < Math.min(whole.length, 700); length++) {
        const cut = Buffer.from(whole.subarray(0, length));
        expect(() => [imageType(cut), readExif(cut)]).not.toThrow();
      }
    }
  });

  it.each([
    ['segments', '\xff\xd8\xff', '\xff\xe1\0\x02'],
    ['fill bytes', '\xff\xd8\xff', '\xff'],
    ['boxes', '\0\0\0\x14ftypavif\0\0\0\0mif1', '\0\0\0\x08meta'],
    ['nested boxes', '\0\0\0\x14ftypavif\0\0\0\0mif1', '\0\x90\0\0meta\0\0\0\0'],
    [
      'sizes',
      '\0\0\0\x14ftypavif\0\0\0\0mif1\0\x90\0\0meta\0\0\0\0\0\x90\0\0iprp\0\x90\0\0ipco',
      '\0\0\0\x14ispe\0\0\0\0\0\0\0\x01\0\0\0\x01',
    ],
    ['empty boxes', '\0\0\0\x14ftypavif\0\0\0\0mif1', '\0'],
  ])('is searched for in the first bytes of ten megabytes of %s only', (_, start, rest) => {
    const bytes = Buffer.alloc(10 * 1024 * 1024);
    bytes.fill(rest, bytes.write(start, 'latin1'), 'latin1');
    const read = jest.spyOn(bytes, 'readUInt32BE');
    const segments = jest.spyOn(bytes, 'readUInt16BE');
    expect(imageType(bytes)).toBeUndefined();
    expect(readExif(bytes).size).toBe(0);
    expect(read.mock.calls.length + segments.mock.calls.length).toBeLessThan(20_000);
  });
});

describe('EXIF data of an image', () => {
  it('are read from JPEG files', async () => {
    const bytes = await imageBytes('jpeg', 8, 8, {
      orientation: 6,
      exif: { Model: 'Pin<b>hole', Artist: 'Ann', FNumber: '28/10', DateTime: '2024:05:06 07:08:09' },
    });
    const exif = readExif(bytes);
    expect(exif.get(EXIF.orientation)).toBe(6);
    expect(exif.get(EXIF.artist)).toBe('Ann');
    expect(imageMeta(exif, false)).toMatchObject({
      camera: 'Pinhole',
      credit: 'Ann',
      orientation: '6',
    });
  });

  it('are stored as WordPress stores them', () => {
    const exif = new Map<number, string | number>([
      [EXIF.fNumber, 2.8],
      [EXIF.focalLength, 50],
      [EXIF.iso, 200],
      [EXIF.exposureTime, 1 / 60],
      [EXIF.dateTimeDigitized, '2024:05:06 07:08:09'],
    ]);
    expect(imageMeta(exif, true)).toEqual({
      aperture: '2.8',
      credit: '',
      camera: '',
      caption: '',
      created_timestamp: '1714979289',
      copyright: '',
      focal_length: '50',
      iso: '200',
      shutter_speed: '0.016666666666667',
      title: '',
      orientation: 1,
      keywords: [],
    });
  });

  it.each(['', '0000:00:00 00:00:00', '2024-99', 'x'.repeat(100_000)])('omit the invalid date %#', (date) => {
    const meta = imageMeta(new Map([[EXIF.dateTimeDigitized, date]]), false);
    expect(meta['created_timestamp']).toBe('0');
  });
});
