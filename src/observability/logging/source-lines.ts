import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';

/** The folder of everything that was compiled, and a place in one of its files as stacks name it. */
const COMPILED = new URL('../', import.meta.url).href;
const PLACE = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | undefined>();

/**
 * A text with stacks in it, with the lines of the sources of what was compiled into a folder. Maps are read when an
 * error is told: Node's own `--enable-source-maps` keeps those of all packages in memory, 11 MB.
 */
export function sourceLines(stack: string, folder = COMPILED): string {
  return stack.replace(PLACE, (place, file: string, line: string, column: string) => {
    const map = file.startsWith(folder) ? mapOf(file) : undefined;
    const found = map?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!found || !('originalSource' in found)) return place;
    const source = new URL(found.originalSource, file).href;
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  });
}

/** The map beside a compiled file; undefined where it can not be read. */
function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')) as SourceMapPayload);
  } catch {
    return undefined;
  }
}
