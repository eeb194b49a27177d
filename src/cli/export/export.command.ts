import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command, Option } from 'commander';
import { systemErrorMessage } from '../../common/errors/system-error-message.js';
import { StartError } from '../../database/start-error.js';
import { counted } from '../counted.js';
import { interruptible } from '../interruptible.js';
import { withSite } from '../site-application.js';
import type { Terminal } from '../terminal.js';
import { type ExportOptions, exportEvents, FILTERS, FORMATS } from './export.js';

type Options = Omit<ExportOptions, 'filters'> & { output?: string } & Record<string, string>;

export function exportCommand(terminal: Terminal): Command {
  const command = new Command('export')
    .addOption(new Option('--format <format>', 'the form').choices(FORMATS).default('ics'))
    .option('-o, --output <file>', 'the file, which is replaced once it is whole')
    .option('--as <login>', 'whose eyes: drafts and private events too, as far as that user sees them')
    .option('--hidden', 'also events that are hidden from listings')
    .option('--bom', 'begin a table with a byte order mark, by which Excel knows UTF-8')
    .option('--raw', 'texts as they are stored, with blocks and shortcodes, where that user may edit them')
    .optionsGroup('Filters, as GET /events takes them:');
  for (const { name, description } of FILTERS) command.option(`--${name} <value>`, description);
  return command.action(async ({ format, as, hidden, raw, bom, output: path, ...rest }: Options) => {
    if (bom && format !== 'csv') throw new StartError('--bom is for tables: say --format csv.');
    // Standard output then holds only the file.
    const output = path === '/dev/stdout' ? undefined : path;
    const filters = Object.fromEntries(
      FILTERS.flatMap(({ name }) => (rest[name] === undefined ? [] : [[name, rest[name]]])),
    );
    const { total, leftOut, unwritten } = await withSite(async (app) => {
      const started = await exportEvents(app, {
        format,
        filters,
        hidden,
        raw,
        bom,
        ...(as !== undefined && { as }),
      });
      const read = (done: number) =>
        terminal.progress(`${done} of ${counted(started.total, 'event')} …`, done / started.total);
      const pieces = started.pieces(read);
      await (output === undefined ? terminal.write(pieces) : writeFile(output, pieces));
      return started;
    });
    if (output !== undefined) {
      const written = total - unwritten.size;
      terminal.say(`Wrote ${counted(written, 'event')} to ${output}.`);
      terminal.json({ events: written, leftOut, notWritten: [...unwritten], file: output });
    }
    if (unwritten.size > 0) terminal.note(unwrittenLine(format, [...unwritten]));
    if (leftOut > 0)
      terminal.note(`Left out ${counted(leftOut, 'event')} hidden from listings: --hidden exports all.`);
  });
}

const MAX_NAMED = 1000;

function unwrittenLine(format: Options['format'], ids: readonly number[]): string {
  const why = format === 'ics' ? 'with dates that cannot be read' : 'that are gone by now';
  const more = ids.length > MAX_NAMED ? ` and ${counted(ids.length - MAX_NAMED, 'other')}` : '';
  return `Could not write ${counted(ids.length, 'event')} ${why}: ${ids.slice(0, MAX_NAMED).join(', ')}${more}.`;
}

/** Replaces a regular file atomically; a device or pipe such as /dev/null is written to directly. */
async function writeFile(named: string, pieces: AsyncGenerator<string>): Promise<void> {
  const path = await realpath(named).catch(() => named);
  const found = await stat(path).catch(() => undefined);
  const isFile = found?.isFile() ?? true;
  // Unique, because another export may write to the same place.
  const part = isFile ? `${path}.${randomUUID()}.part` : path;
  try {
    const file = createWriteStream(part, { flags: isFile ? 'wx' : 'w', mode: found?.mode });
    await interruptible((signal) => pipeline(Readable.from(pieces), file, { signal }));
    if (isFile) await rename(part, path);
  } catch (error) {
    if (isFile) await rm(part, { force: true });
    if ((error as Error).name === 'AbortError') throw new StartError('Interrupted.');
    const isOfFile = (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isOfFile ? new StartError(`The file cannot be written: ${systemErrorMessage(error)}.`) : error;
  }
}
