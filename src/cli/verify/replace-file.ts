import { rename, writeFile } from 'node:fs/promises';
import { StartError } from '../../database/start-error.js';
import { systemErrorMessage } from '../../common/errors/system-error-message.js';

/** Writes a file atomically with owner-only permissions; throws `StartError` on failure. */
export async function replaceFile(file: string, text: string): Promise<void> {
  try {
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  } catch (error) {
    throw new StartError(`${file} can not be written: ${systemErrorMessage(error)}.`);
  }
}
