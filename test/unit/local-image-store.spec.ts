import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '../../src/config/env.js';
import { LocalImageStore } from '../../src/wordpress/media/local-image-store.js';
import { addFile, makeFolder } from '../../src/wordpress/media/shared-folder.js';

const isRoot = process.getuid?.() === 0;

describe('the uploads folder', () => {
  let base: string;
  let root: string;
  let source: string;
  const umask = process.umask();
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'almanac-folder-')));
    root = join(base, 'uploads');
    source = join(base, 'source.jpg');
    await mkdir(root);
    await writeFile(source, 'an image', { mode: 0o755 });
  });
  afterEach(async () => {
    process.umask(umask);
    await rm(base, { recursive: true, force: true });
  });

  const place = (folder = '2091/03/', stem = 'photo') =>
    new LocalImageStore(readEnvironment({ UPLOADS_DIR: root })).add({ folder, stem, extension: 'jpg' }, [
      { path: source, suffix: '' },
      { path: source, suffix: '-150x150' },
    ]);
  const modeOf = async (path: string) => ((await stat(join(root, path))).mode & 0o7777).toString(8);
  const names = async (path: string) => (await readdir(path)).sort();

  describe.each(['000', '022', '077', '777'])('with the umask %s', (mask) => {
    it.each([
      ['755', '644'],
      ['775', '664'],
      ['2775', '664'],
      ['700', '600'],
      ['1777', '666'],
    ])('creates folders with mode %s of the parent and files with %s', async (folder, file) => {
      await chmod(root, folder);
      process.umask(mask);
      await place();
      expect([await modeOf('2091'), await modeOf('2091/03')]).toEqual([folder, folder]);
      expect(await modeOf('2091/03/photo.jpg')).toBe(file);
      expect(await modeOf('2091/03/photo-150x150.jpg')).toBe(file);
      expect(await readFile(join(root, '2091/03/photo.jpg'), 'utf8')).toBe('an image');
    });
  });

  it('uses the mode of the parent folder, and leaves existing ones unchanged', async () => {
    await mkdir(join(root, '2091'));
    await chmod(root, 0o755);
    await chmod(join(root, '2091'), 0o770);
    await place();
    expect([await modeOf('.'), await modeOf('2091'), await modeOf('2091/03')]).toEqual(['755', '770', '770']);
    expect(await modeOf('2091/03/photo.jpg')).toBe('660');
  });

  it('is created where it is missing, and stores files without month folders', async () => {
    await chmod(base, 0o751);
    await rm(root, { recursive: true });
    expect((await place('')).paths).toEqual([join(root, 'photo.jpg'), join(root, 'photo-150x150.jpg')]);
    expect([await modeOf('.'), await modeOf('photo.jpg')]).toEqual(['751', '640']);
  });

  if (isRoot)
    it('gives all files its own owner', async () => {
      await chown(root, 12_345, 23_456);
      await chmod(root, 0o2775);
      await place();
      for (const path of ['2091', '2091/03', '2091/03/photo.jpg', '2091/03/photo-150x150.jpg'])
        expect(await stat(join(root, path))).toMatchObject({ uid: 12_345, gid: 23_456 });
      expect([await modeOf('2091/03'), await modeOf('2091/03/photo.jpg')]).toEqual(['2775', '664']);
    });

  if (isRoot)
    it('works for a user who may not change owners', async () => {
      await chown(root, 12_345, 23_456);
      await chmod(root, 0o777);
      await chmod(base, 0o755);
      process.setegid?.(34_567);
      process.seteuid?.(34_567);
      try {
        await place();
      } finally {
        process.seteuid?.(0);
        process.setegid?.(0);
      }
      expect(await stat(join(root, '2091/03/photo.jpg'))).toMatchObject({ uid: 34_567, gid: 34_567 });
      expect([await modeOf('2091/03'), await modeOf('2091/03/photo.jpg')]).toEqual(['777', '666']);
    });

  it('overwrites nothing: a name that a concurrent upload takes is replaced by the next one', async () => {
    const [mine, theirs] = await Promise.all([place(), place()]);
    expect([mine?.stem, theirs?.stem].sort()).toEqual(['photo', 'photo-1']);
    await writeFile(join(root, '2091/03/taken.jpg'), 'theirs');
    await expect(addFile(source, join(root, '2091/03/taken.jpg'))).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(join(root, '2091/03/taken.jpg'), 'utf8')).toBe('theirs');
    expect(await names(join(root, '2091/03'))).toEqual([
      'photo-1-150x150.jpg',
      'photo-1.jpg',
      'photo-150x150.jpg',
      'photo.jpg',
      'taken.jpg',
    ]);
  });

  it('creates a folder once for concurrent uploads', async () => {
    const created = await Promise.all(Array.from({ length: 20 }, () => makeFolder(root, '2091/04/')));
    expect(new Set(created)).toEqual(new Set([join(root, '2091/04')]));
    expect(await names(root)).toEqual(['2091']);
  });

  it('leaves no partial file when the source fails', async () => {
    await makeFolder(root, '2091/03/');
    await expect(addFile(base, join(root, '2091/03/photo.jpg'))).rejects.toMatchObject({ code: 'EISDIR' });
    expect(await names(join(root, '2091/03'))).toEqual([]);
  });

  it('writes through no symbolic link that leaves it', async () => {
    const outside = join(base, 'uploads-of-another');
    await mkdir(outside);
    for (const [from, to] of [
      ['2091', outside],
      ['2092', '../uploads-of-another'],
      ['2093', '/'],
      ['2094', join(base, 'nowhere')],
    ] as const)
      await symlink(to, join(root, from));
    for (const year of ['2091', '2092', '2093', '2094'])
      await expect(place(`${year}/03/`)).rejects.toThrow(/leads out|ENOENT/);
    await mkdir(join(root, '2095/03'), { recursive: true });
    await symlink(join(outside, 'stolen.jpg'), join(root, '2095/03/photo.jpg'));
    const { paths } = await place('2095/03/');
    expect(paths[0]).toBe(join(root, '2095/03/photo-1.jpg'));
    expect(await names(outside)).toEqual([]);
    expect((await lstat(join(root, '2095/03/photo.jpg'))).isSymbolicLink()).toBe(true);
    expect(await names(base)).toEqual(['source.jpg', 'uploads', 'uploads-of-another']);
  });

  it('may be a symbolic link, and contain links between its own folders', async () => {
    const link = join(base, 'link');
    await symlink(root, link);
    await mkdir(join(root, 'archive'));
    await symlink('archive', join(root, '2090'));
    expect(await makeFolder(link, '2090/01/')).toBe(join(root, 'archive/01'));
  });
});
