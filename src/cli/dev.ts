import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ownEnvironment } from '../config/env.js';
import { StartError } from '../database/start-error.js';
import { packageEntry } from '../plugins/load-plugins.js';

/** The folder of this package. */
const ALMANAC = fileURLToPath(new URL('../../', import.meta.url));
/** What the compiler prints at the end of each compilation. */
const COMPILED = /Found (\d+) errors?\. Watching for file changes/;

/** How often the process that started this one is looked for, in milliseconds. */
const PARENT_INTERVAL = 1000;

/** What is compiled and started. */
export interface DevelopmentOptions {
  folders: readonly string[];
  /** A file to start instead of Almanac. */
  main?: string;
  note(line: string): void;
}

/** TypeScript's compiler in watch mode for each folder, and a server that restarts after a compilation without errors. */
export class Development {
  private server?: ChildProcess;
  private restarting = Promise.resolve();

  constructor(private readonly options: DevelopmentOptions) {}

  /** Runs until the signal aborts; throws a `StartError` if a folder has no compiler, or if a compiler ends. */
  async run(signal: AbortSignal): Promise<void> {
    const folders = this.options.folders.map((folder) => resolve(folder));
    const env = this.environment(folders.filter((folder) => folder !== resolve(ALMANAC)));
    const failing = new Set(folders);
    const end = new AbortController();
    signal.addEventListener('abort', () => end.abort());
    // npm may have been killed, which ends nothing that it has started.
    const parent = process.ppid;
    const watch = setInterval(() => process.ppid !== parent && end.abort(), PARENT_INTERVAL);
    const compilers = folders.map((folder) =>
      this.compile(folder, end.signal, (isValid) => {
        if (isValid) failing.delete(folder);
        else failing.add(folder);
        if (failing.size === 0) this.restarting = this.restarting.then(() => this.restart(env));
      }),
    );
    await Promise.race(compilers);
    const isStopped = end.signal.aborted;
    clearInterval(watch);
    end.abort();
    await Promise.all(compilers);
    await this.restarting;
    await this.stop();
    if (!isStopped) throw new StartError('A compiler ended: see above.');
  }

  /** Reports after each compilation whether the folder has no errors; resolves when the compiler ends. */
  private async compile(
    folder: string,
    signal: AbortSignal,
    onDone: (isValid: boolean) => void,
  ): Promise<void> {
    const words = ['--watch', '--preserveWatchOutput', '--locale', 'en', '--project', folder];
    const compiler = spawn(process.execPath, [compilerOf(folder), ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(compiler, 'exit');
    signal.addEventListener('abort', () => compiler.kill());
    for await (const line of createInterface({ input: compiler.stdout })) {
      if (line !== '') process.stderr.write(`${line}\n`);
      const [, errors] = COMPILED.exec(line) ?? [];
      if (errors !== undefined) onDone(errors === '0');
    }
    await ended;
  }

  private environment(plugins: readonly string[]): NodeJS.ProcessEnv {
    const entries = this.options.main === undefined ? plugins.map(entryOf) : [];
    const { plugins: named, databaseUrl } = ownEnvironment();
    const all = [...named, ...entries].join(',');
    if (databaseUrl !== undefined && entries.length > 0)
      this.options.note(`Tables of plugins are created by: PLUGINS=${all} npx almanac migrate`);
    return {
      ...process.env,
      PLUGINS: all,
      // Node 22 and later start faster on compiled code from before.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join('node_modules', '.cache', 'almanac'),
    };
  }

  /** Starts the next server while the one before finishes its requests, which accepts no connections any more. */
  private async restart(env: NodeJS.ProcessEnv): Promise<void> {
    const stopped = this.stop();
    const isFailed = await Promise.race([
      this.start(env).then((code) => code !== 0),
      stopped.then(() => false),
    ]);
    await stopped;
    // The one before was still listening.
    if (isFailed) void this.start(env);
  }

  /** Starts a server; resolves with its exit code when it ends. */
  private async start(env: NodeJS.ProcessEnv): Promise<number | null> {
    const file = this.options.main ?? join(ALMANAC, 'dist', 'main.js');
    const server = spawn(process.execPath, [file], { env, stdio: 'inherit' });
    this.server = server;
    const [code] = (await once(server, 'exit')) as [number | null];
    if (this.server === server && code !== 0) this.options.note('The server ended. Waiting for changes.');
    return code;
  }

  private async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  }
}

function compilerOf(folder: string): string {
  try {
    return createRequire(join(folder, 'package.json')).resolve('typescript/bin/tsc');
  } catch {
    throw new StartError(`${folder} has no TypeScript: run npm install there, with development packages.`);
  }
}

function entryOf(folder: string): string {
  const entry = packageEntry(folder);
  if (entry === undefined)
    throw new StartError(`The package.json in ${folder} has no "exports" that name its module.`);
  return entry;
}
