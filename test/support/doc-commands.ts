import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { program } from '../../src/cli/program.js';
import { Terminal } from '../../src/cli/terminal.js';
import { readEnvironment } from '../../src/config/env.js';
import { type DocBlock, ROOT } from './doc-blocks.js';

/** A parsed command of a document. */
export interface DocCommand {
  env: Record<string, string>;
  words: string[];
}

const TOKEN =
  /\\\n|[ \t]*#[^\n]*|&&|\|\|?|[;\n]|(?:'[^']*'|"(?:\\.|[^"\\])*"|\$\([^)]*\)|\\[^\n]|[^\s'"\\;|&$]|\$)+|[ \t]+|&/g;

/** Parses a bash script: the part of the grammar that documents use. */
export function commandsOf(script: string): DocCommand[] {
  const commands: DocCommand[] = [];
  let current: DocCommand = { env: {}, words: [] };
  for (const [token] of `${script}\n`.matchAll(TOKEN)) {
    if (/^(&&|\|\|?|[;\n&])$/.test(token)) {
      if (current.words.length > 0) commands.push(current);
      current = { env: {}, words: [] };
    } else if (/^\s*(#|\\\n|$)/.test(token)) continue;
    else {
      const word = token.replaceAll(/'([^']*)'|"((?:\\.|[^"\\])*)"/g, (_, one, two) => one ?? two);
      const [, name = '', value = ''] = /^(\w+)=([\s\S]*)$/.exec(word) ?? [];
      if (name !== '' && current.words.length === 0) current.env[name] = value;
      else current.words.push(word);
    }
  }
  return commands;
}

/** A command with its documented output. */
export interface DocStep {
  command: string;
  shown: string;
}

/** The commands of a block: the whole script for `sh`, each `$` line with its output for `console`. */
export function stepsOf({ kind, text }: DocBlock): DocStep[] {
  if (kind === 'sh') return [{ command: text, shown: '…' }];
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = ''] = /^(?:.*\\\n)*.*/.exec(part) ?? [];
      return { command, shown: part.slice(command.length) };
    });
}

/** Whether tests can run all commands of a block. */
export function isRun(block: DocBlock): boolean {
  return stepsOf(block).every(({ command }) => commandsOf(command).every(isRunnable));
}

/** Whether a test can run a command: it ends by itself, on this machine, and does not change it. */
function isRunnable({ words }: DocCommand): boolean {
  const [name = '', ...further] = words[0] === 'npx' ? words.slice(1) : words;
  if (name === 'almanac') return further.length > 0 && !/^(verify|shadow)$/.test(further[0] ?? '');
  return /^(curl|node|echo|read|head|tail|grep|python3|khal)$/.test(name);
}

/** The error in a command that is not run; undefined when every check passes. */
export async function faultOf({ env, words }: DocCommand): Promise<string | undefined> {
  const [name = '', ...further] = words[0] === 'npx' ? words.slice(1) : words;
  const check = CHECKED[name];
  if (!check) return `nobody knows how to check "${name}": add it to test/support/doc-commands.ts`;
  try {
    if (/^(almanac|npm)$/.test(name)) readEnvironment(env);
    return await check(further);
  } catch (error) {
    return (error as Error).message;
  }
}

const inRoot = (name: string) => existsSync(join(ROOT, name));
const fine = () => undefined;

/** Checks that named files are in the repository, unless they are elsewhere or created by the reader. */
const namesFiles = (words: string[]) =>
  words.find((word) => /^(deploy\/|\.env\.|scripts\/|bench\/|docs\/)/.test(word) && !inRoot(word));

type Check = (words: string[]) => string | undefined | Promise<string | undefined>;

const CHECKED: Readonly<Record<string, Check>> = {
  almanac,
  npm,
  docker,
  node: namesFiles,
  install: namesFiles,
  sudo: namesFiles,
  'apt-get': fine,
  podman: fine,
  buildah: fine,
  cp: namesFiles,
  mv: fine,
  cd: fine,
  sed: fine,
  grep: fine,
  head: fine,
  tail: fine,
  echo: fine,
  curl: (words) => (words.some((word) => URL.canParse(word)) ? undefined : 'curl without an address'),
  systemctl: (words) => (inRoot(`deploy/${words.at(-1)}.service`) ? undefined : 'no such unit'),
  journalctl: (words) => (inRoot(`deploy/${words[1]}.service`) ? undefined : 'no such unit'),
  nginx: (words) => (/^(-t|-s reload)$/.test(words.join(' ')) ? undefined : 'not known of nginx'),
};

let understood: Promise<Command> | undefined;

/** Checks the options against the help of the program. */
async function almanac(words: string[]): Promise<string | undefined> {
  if (words.length === 0) return undefined;
  understood ??= program(new Terminal());
  let command = await understood;
  const path = [...words];
  for (;;) {
    const below = command.commands.find((one) => one.name() === path[0]);
    if (!below) break;
    command = below;
    path.shift();
  }
  command.configureOutput({ writeErr: () => undefined });
  if (path.join() === '--help' || path.join() === '--version') return undefined;
  const { operands, unknown } = command.parseOptions(path);
  if (unknown.length > 0) return `almanac ${words.join(' ')}: ${unknown.join(' ')} is not known`;
  if (command.commands.length > 0 && operands.length > 0) return `almanac does not know ${operands[0]}`;
  const most = command.registeredArguments.some(({ variadic }) => variadic)
    ? Number.POSITIVE_INFINITY
    : command.registeredArguments.length;
  return operands.length > most ? `almanac ${words.join(' ')}: too many words` : undefined;
}

function npm(words: string[]): string | undefined {
  const plain = words[0] === '--prefix' ? words.slice(2) : words;
  if (/^(install|ci|test|start|pack|prune|exec)$/.test(plain[0] ?? '')) return undefined;
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  return plain[0] === 'run' && Object.hasOwn(scripts, plain[1] ?? '')
    ? undefined
    : `there is no npm ${plain.join(' ')}`;
}

function docker(words: string[]): ReturnType<Check> {
  const compose = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
  const { services } = load(compose, { schema: CORE_SCHEMA.withTags(mergeTag) }) as {
    services: Record<string, { profiles: string[] }>;
  };
  if (words[0] !== 'compose') return 'only docker compose is known here';
  const [verb = '', ...further] = words[1] === '--profile' ? words.slice(3) : words.slice(1);
  const profiles = Object.values(services).flatMap((service) => service.profiles);
  if (words[1] === '--profile' && !profiles.includes(words[2] ?? '')) return `no profile ${words[2]}`;
  if (verb === 'up') return undefined;
  if (!/^(logs|exec)$/.test(verb)) return `docker compose ${verb} is not known here`;
  const [service = '', ...inside] = further.filter(
    (word) => !word.startsWith('-') || further.indexOf(word) > 0,
  );
  if (!Object.hasOwn(services, service)) return `no service ${service}`;
  return verb === 'exec' && inside[1] === 'bin/almanac.cjs' ? almanac(inside.slice(2)) : undefined;
}
