import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';

const MAX_CAUSES = 5;

/** The stack of an error and of its causes. */
export function errorText(error: unknown): string {
  const stacks: string[] = [];
  for (
    let one = error;
    one !== undefined && stacks.length < MAX_CAUSES;
    one = (one as { cause?: unknown })?.cause
  )
    stacks.push(one instanceof Error ? one.stack || String(one) : String(one));
  return stacks.join('\nCaused by: ');
}

/** The folder of the compiled code. */
const COMPILED = new URL('../', import.meta.url).href;
const POSITION = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | undefined>();

/**
 * Maps the positions of stack traces from compiled files in a folder to the sources. Source maps are loaded on demand;
 * Node's `--enable-source-maps` keeps those of all packages in memory, 11 MB.
 */
export function sourceLines(stack: string, folder = COMPILED): string {
  return stack.replace(POSITION, (position, file: string, line: string, column: string) => {
    const map = file.startsWith(folder) ? mapOf(file) : undefined;
    const found = map?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!found || !('originalSource' in found)) return position;
    const source = new URL(found.originalSource, file).href;
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  });
}

/** The source map of a compiled file; undefined when it cannot be read. */
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
