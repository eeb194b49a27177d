import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { loadSharp, makeImageFiles, type NewImage } from '../../src/wordpress/media/image-copies.js';
import { imageType } from '../../src/wordpress/media/image-type.js';
import { mediaSettings } from '../../src/wordpress/media/media-settings.js';
import { describeImage, imageBytes, type TestImageKind } from '../support/image-bytes.js';

const { boxes } = mediaSettings((_, fallback) => fallback ?? '');

describe('copies of an image', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'almanac-copies-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function written(bytes: Buffer, orientation = 1): Promise<NewImage> {
    const type = imageType(bytes);
    if (!type) throw new Error('no image');
    const path = join(folder, `${type.kind}-${type.width}-${orientation}`);
    await writeFile(path, bytes);
    return { path, type, orientation };
  }

  it.each<TestImageKind>(['jpeg', 'png', 'gif', 'webp', 'avif'])('of %s have its type', async (kind) => {
    const image = await written(await imageBytes(kind, 500, 400));
    const { main, original, sizes } = await makeImageFiles(image, boxes, await loadSharp());
    expect(main).toBe(original);
    expect([...sizes.keys()]).toEqual(['medium', 'thumbnail']);
    const format = kind === 'avif' ? 'heif' : kind;
    expect(await describeImage(sizes.get('medium')?.path ?? '')).toEqual({
      width: 300,
      height: 240,
      format,
    });
  });

  it('are not created without sharp', async () => {
    const image = await written(await imageBytes('jpeg', 3000, 10), 6);
    const created = await makeImageFiles(image, boxes, undefined);
    expect(created).toMatchObject({ main: { suffix: '', width: 3000, height: 10 }, isTurned: false });
    expect(created.sizes.size).toBe(0);
  });

  it('are not created for images that would take too much memory', async () => {
    const image = await written(await imageBytes('png', 64, 64));
    const vast = { ...image, type: { ...image.type, width: 50_000, height: 50_000 } };
    expect((await makeImageFiles(vast, boxes, await loadSharp())).sizes.size).toBe(0);
  });

  it.each([
    ['avif', 4200, {}, 0],
    ['gif', 6000, {}, 0],
    ['jpeg', 5700, { progressive: true }, 0],
    ['jpeg', 5701, { progressive: false }, 6],
    ['png', 5700, { progressive: true }, 0],
    ['png', 5701, { progressive: false }, 6],
  ] as const)('of %s with %i pixels a side, %j: %i', async (kind, side, options, count) => {
    const { data, info } = await sharp({
      create: { width: side, height: side, channels: 3, background: 'teal' },
    })
      .toFormat(kind, { ...options, effort: 1 })
      .toBuffer({ resolveWithObject: true });
    const type = imageType(data);
    expect([info.width, type?.kind]).toEqual([side, kind]);
    const image = await written(data);
    expect((await makeImageFiles(image, boxes, await loadSharp())).sizes.size).toBe(count);
  });
});
