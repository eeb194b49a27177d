import { Readable, Writable } from 'node:stream';
import { type Command, CommanderError } from 'commander';
import { program } from '../../src/cli/program.js';
import { EXIT, Terminal } from '../../src/cli/terminal.js';
import { StartError } from '../../src/database/start-error.js';

/** The result of a command. */
export interface Ended {
  code: number;
  /** Standard output. */
  out: string;
  /** Standard error. */
  err: string;
}

/** Runs `almanac` with these arguments in this process on a database; `input` is its standard input. */
export async function almanac(url: string, words: readonly string[], input = ''): Promise<Ended> {
  const [out, err] = [sink(), sink()];
  const terminal = new Terminal(
    Object.assign(Readable.from(input === '' ? [] : [input]), {
      isTTY: false,
    }) as unknown as NodeJS.ReadStream,
    out.stream,
    err.stream,
  );
  const before = { env: process.env['DATABASE_URL'], code: process.exitCode };
  process.env['DATABASE_URL'] = url;
  process.exitCode = undefined;
  try {
    const almanac = await program(terminal);
    for (const command of [almanac, ...below(almanac)])
      command.configureOutput({
        writeOut: (text) => out.stream.write(text),
        writeErr: (text) => err.stream.write(text),
      });
    const code = await almanac.parseAsync([...words], { from: 'user' }).then(
      () => Number(process.exitCode ?? EXIT.done),
      (error: unknown) => {
        if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
        if (!(error instanceof StartError)) throw error;
        err.stream.write(`${error.message}\n`);
        return EXIT.failed;
      },
    );
    return { code, out: out.text(), err: err.text() };
  } finally {
    process.exitCode = before.code;
    process.env['DATABASE_URL'] = before.env;
    if (before.env === undefined) delete process.env['DATABASE_URL'];
  }
}

function below(command: Command): Command[] {
  return command.commands.flatMap((one) => [one as Command, ...below(one as Command)]);
}

function sink() {
  const parts: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      parts.push(String(chunk));
      done();
    },
  }) as unknown as NodeJS.WriteStream;
  return { stream, text: () => parts.join('') };
}
