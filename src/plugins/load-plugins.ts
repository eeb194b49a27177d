import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { firstLine } from '../common/errors/first-line.js';
import { StartError } from '../database/start-error.js';
import { checkCopies } from './check-copies.js';
import { checkOptions, type Plugin } from './plugin.js';

/** Loads the plugins in `PLUGINS`: paths or packages, seen from the working directory; throws a `StartError`. */
export async function loadPlugins(names: readonly string[]): Promise<Plugin[]> {
  const loaded: Plugin[] = [];
  for (const name of names) loaded.push(...(await load(name)));
  return loaded;
}

interface Exported {
  default?: { default?: unknown };
}

async function load(name: string): Promise<Plugin[]> {
  const file = fileOf(name);
  checkCopies(file, `PLUGINS names "${name}", which`);
  const exported: Exported = await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new StartError(
      `PLUGINS names "${name}", which cannot be loaded${placeOf(error)}: ${firstLine(error)}`,
    );
  });
  // The default export of CommonJS that TypeScript compiled is one level deeper.
  const value = exported.default?.default ?? exported.default;
  const plugins: unknown[] = Array.isArray(value) ? value : [value];
  for (const plugin of plugins) checkOptions(plugin, `PLUGINS names "${name}", which`);
  if (plugins.length === 0 || !plugins.every(isPlugin))
    throw new StartError(
      `PLUGINS names "${name}", whose default export is no Nest module, dynamic module or list of them.`,
    );
  return plugins;
}

/** The file and line of an error in brackets, if its stack has them. */
function placeOf(error: unknown): string {
  const place = /(?:^|[\s(])(?:file:\/\/)?(\/[^\s():]+:\d+)/.exec((error as Error | undefined)?.stack ?? '');
  return place ? ` (${place[1]})` : '';
}

/** Whether a value is a Nest module or a dynamic module. */
export function isPlugin(value: unknown): value is Plugin {
  const module = (value as { module?: unknown } | null | undefined)?.module ?? value;
  return typeof module === 'function' && module.prototype !== undefined;
}

function fileOf(name: string): string {
  const { resolve } = createRequire(join(process.cwd(), 'package.json'));
  try {
    return resolve(name);
  } catch (error) {
    const folders = (resolve.paths(name) ?? []).map((folder) => join(folder, name));
    const folder = folders.find((one) => existsSync(join(one, 'package.json')));
    const file = folder && packageEntry(folder);
    if (file) return file;
    const unknown = (error as { code?: string }).code === 'MODULE_NOT_FOUND';
    const fault = unknown ? `was not found from ${process.cwd()}.` : `cannot be loaded: ${firstLine(error)}`;
    throw new StartError(`PLUGINS names "${name}", which ${fault}`);
  }
}

type Exports = string | { '.'?: Exports; import?: Exports; default?: Exports };

/** The file that the `exports` of a package name; `require` does not resolve those that have only `import`. */
export function packageEntry(folder: string): string | undefined {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  let { exports }: { exports?: Exports } = JSON.parse(readFileSync(file, 'utf8'));
  while (typeof exports === 'object') exports = exports['.'] ?? exports.import ?? exports.default;
  return exports && join(folder, exports);
}
