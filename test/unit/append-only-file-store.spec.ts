import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { roomIn, AppendOnlyFileStore } from '../../src/resources/record-cache/append-only-file-store.js';

const text = (id: number, content: string, version = 1) => ({ id, version, bytes: Buffer.from(content) });

describe('texts on disk', () => {
  let texts: AppendOnlyFileStore;
  const read = async (...ids: number[]) =>
    Object.fromEntries(await texts.get(ids, (id, version, bytes) => [id, `${version} ${bytes}`] as const));
  const folder = mkdtempSync(join(tmpdir(), 'almanac-test-'));

  afterAll(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    texts = await AppendOnlyFileStore.open(100, folder);
  });
  afterEach(async () => {
    await texts.close();
  });

  it('are found by their numbers, each with its version', async () => {
    expect(await texts.add([text(7, 'seven'), text(3, 'three', 4)])).toBe(true);
    expect(await texts.add([text(5, 'five')])).toBe(true);
    expect(await read(3, 4, 5, 7)).toEqual({ 3: '4 three', 5: '1 five', 7: '1 seven' });
    expect([texts.size, texts.has(3), texts.has(4)]).toEqual([3, true, false]);
  });

  it('are found as they were put, also where several are put there at once', async () => {
    await Promise.all([1, 2, 3, 4].map((id) => texts.add([text(id, String(id).repeat(id))])));
    expect(await read(1, 2, 3, 4)).toEqual({ 1: '1 1', 2: '1 22', 3: '1 333', 4: '1 4444' });
  });

  it('can be replaced, renewed and deleted, also while they are read', async () => {
    await texts.add([text(7, 'seven'), text(8, 'eight')]);
    const reading = read(7, 8);
    await texts.add([text(7, 'SEVEN!', 3)]);
    texts.delete(8);
    const [place = -1] = await texts.get([7], (_id, _version, _bytes, at) => at);
    texts.renew(7, place, 9);
    texts.renew(7, place, 5);
    texts.renew(8, 0, 9);
    // Of one that was there before.
    texts.renew(7, 0, 11);
    texts.delete(7, 0);
    expect(await reading).toEqual({ 7: expect.stringMatching(/ seven$/), 8: '1 eight' });
    expect(await read(7, 8)).toEqual({ 7: '9 SEVEN!' });
  });

  it('take no more room than they may, and say when most of it is worn', async () => {
    expect(await texts.add([text(1, 'a'.repeat(60))])).toBe(true);
    expect(await texts.add([text(2, 'b'.repeat(60))])).toBe(false);
    expect([texts.has(2), texts.needsCompaction]).toEqual([false, false]);
    texts.delete(1);
    expect(texts.needsCompaction).toBe(true);
  });

  it('have a file without a name, which is closed once nobody reads it', async () => {
    const others = await AppendOnlyFileStore.open(100, folder);
    expect(readdirSync(folder)).toEqual([]);
    await others.add([text(1, 'one'), text(2, 'two')]);
    const reading = others.get([1, 2], (_id, _version, bytes) => String(bytes));
    await others.close();
    expect(await reading).toEqual(['one', 'two']);
    expect(await others.get([1], () => 1)).toEqual([]);
    expect(await others.add([text(3, 'three')])).toBe(false);
  });

  it('are not put into memory, nor do they fill a disk', async () => {
    expect(await roomIn('/dev/shm')).toBe(0);
    expect(await roomIn(__dirname)).toBeGreaterThan(0);
    await expect(roomIn(join(folder, 'missing'))).rejects.toThrow('ENOENT');
  });
});
