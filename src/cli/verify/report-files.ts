import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { systemErrorMessage } from '../../common/errors/system-error-message.js';
import { StartError } from '../../database/start-error.js';

/** Writes a file atomically with owner-only permissions; throws `StartError` on failure. */
export async function replaceFile(file: string, text: string): Promise<void> {
  try {
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  } catch (error) {
    throw new StartError(`${file} cannot be written: ${systemErrorMessage(error)}.`);
  }
}

/** Runs work that writes a report's files, one process at a time: `FILE.running` has the id of that process. */
export async function runExclusively<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const mark = `${file}.running`;
  const text = await readFile(mark, 'utf8').catch(() => undefined);
  if (text !== undefined) {
    const other = Number(text);
    if (runs(other))
      throw new StartError(
        `${file} is what another process writes, number ${other}: wait for it, or choose another name by --report (if that one is none of Almanac, delete ${mark}).`,
      );
    await rm(mark, { force: true });
  }
  try {
    await writeFile(mark, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new StartError(`${mark} cannot be written: ${systemErrorMessage(error)}.`);
  }
  try {
    return await work();
  } finally {
    await rm(mark, { force: true });
  }
}

/** Whether another process has this id; containers always give the first process the same id. */
function runs(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
