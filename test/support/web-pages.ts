import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onceForAllWorkers } from './test-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the pages' files once per run. */
export async function buildPages(): Promise<void> {
  await onceForAllWorkers('web', async () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build-web.mjs'], {
      cwd: root,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  });
}

/** Builds them only where they are missing: other tests may be reading existing ones. */
export async function needPages(): Promise<void> {
  if (!existsSync(join(root, 'web', 'dist', 'names.json'))) await buildPages();
}
