import { createReadStream, type Stats } from 'node:fs';
import { chmod, constants, type FileHandle, mkdir, open, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/** Creates a folder below `root`, with its parent's owner and mode (W26); throws for a link out of `root`. */
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
  // Windows has no such modes.
  if (process.platform === 'win32') return;
  const folder = await openFolder(path);
  try {
    const around = await stat(parent);
    await setOwner(folder, around, around.mode & 0o7777);
  } finally {
    await folder.close();
  }
}

function openFolder(path: string): Promise<FileHandle> {
  const opened = () => open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  // A umask may deny even the owner access.
  return opened().catch(async () => {
    await chmod(path, 0o700);
    return opened();
  });
}

/** Copies a file to an unused name, with its folder's owner and mode (W26), or throws `EEXIST`. */
export async function addFile(source: string, target: string): Promise<void> {
  const folder = await stat(dirname(target));
  const file = await open(target, 'wx', 0o600);
  try {
    await setOwner(file, folder, folder.mode & 0o666);
    await pipeline(createReadStream(source), file.createWriteStream());
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(target, { force: true });
    throw error;
  }
}

/** Sets owner and mode as far as permitted: only root may change the owner, and a group must be the process's own. */
async function setOwner(file: FileHandle, { uid, gid }: Stats, mode: number): Promise<void> {
  const { uid: self } = await file.stat();
  await file.chown(uid, gid).catch(() => file.chown(self, gid).catch(() => undefined));
  // Last, as changing the owner clears mode bits.
  await file.chmod(mode).catch(() => undefined);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
