import { createReadStream, type Stats } from 'node:fs';
import { chmod, constants, type FileHandle, mkdir, open, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/**
 * The real path of a folder below `root`; what is missing is made, for whom the folder around it belongs to and with
 * its mode (W26), whatever the umask. One that somebody else makes meanwhile will do; a link that leads out of `root`
 * throws.
 */
export async function makeFolder(root: string, path: string): Promise<string> {
  await addFolder(root);
  const realRoot = await realpath(root);
  let folder = realRoot;
  for (const name of path.split('/').filter(Boolean)) {
    await addFolder(join(folder, name));
    folder = await realpath(join(folder, name));
    if (folder !== realRoot && !folder.startsWith(join(realRoot, sep)))
      throw new Error(`${path} leads out of the uploads folder`);
  }
  return folder;
}

async function addFolder(path: string): Promise<void> {
  const parent = dirname(path);
  try {
    await mkdir(path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || parent === path) throw error;
    await addFolder(parent);
    return addFolder(path);
  }
  // Windows knows no such modes.
  if (process.platform === 'win32') return;
  const folder = await openFolder(path);
  try {
    const around = await stat(parent);
    await giveTo(folder, around, around.mode & 0o7777);
  } finally {
    await folder.close();
  }
}

function openFolder(path: string): Promise<FileHandle> {
  const opened = () => open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  // A umask may leave even the owner without the right to look inside.
  return opened().catch(async () => {
    await chmod(path, 0o700);
    return opened();
  });
}

/**
 * Copies a file to a name that nobody has yet, for whom its folder belongs to and with the folder's mode, but not
 * executable (W26). Throws `EEXIST` when the name is taken, also by a link; nothing is left of a copy that fails.
 */
export async function addFile(source: string, target: string): Promise<void> {
  const folder = await stat(dirname(target));
  const file = await open(target, 'wx', 0o600);
  try {
    await giveTo(file, folder, folder.mode & 0o666);
    await pipeline(createReadStream(source), file.createWriteStream());
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(target, { force: true });
    throw error;
  }
}

/** As far as this process may: only root gives to others, and a group must be one's own. */
async function giveTo(made: FileHandle, { uid, gid }: Stats, mode: number): Promise<void> {
  const { uid: self } = await made.stat();
  await made.chown(uid, gid).catch(() => made.chown(self, gid).catch(() => undefined));
  // Last, for a change of the owner takes bits away.
  await made.chmod(mode).catch(() => undefined);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
