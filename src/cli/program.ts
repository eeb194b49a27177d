import { createRequire } from 'node:module';
import { Command, Option } from 'commander';
import type { Terminal } from './terminal.js';

const VERSION: string = createRequire(import.meta.url)('../../package.json').version;

const AFTER = `
The environment says which database: DATABASE_URL, TABLE_PREFIX and whatever else docs/configuration.md lists.
Exit codes: 0 done, 1 could not be done, 2 not understood, 3 done and something was found.
NO_COLOR=1 turns colors off, FORCE_COLOR=1 on.`;

interface NamedCommand {
  description: string;
  /** Imports the file of the command, which takes a second with all that it runs. */
  load(): Promise<(terminal: Terminal) => Command>;
}

const COMMANDS: Readonly<Record<string, NamedCommand>> = {
  doctor: {
    description: 'report problems of a site, why they matter and what to do; changes nothing',
    load: async () => (await import('./doctor.command.js')).doctorCommand,
  },
  verify: {
    description: 'walk the old interface, ask Almanac the same, and report what differs',
    load: async () => (await import('./verify.command.js')).verifyCommand,
  },
  shadow: {
    description:
      'stand before the old interface, pass everything on, and compare what Almanac would have said',
    load: async () => (await import('./shadow.command.js')).shadowCommand,
  },
  user: {
    description: 'list and make users, set passwords and roles',
    load: async () => (await import('./user/user.command.js')).userCommand,
  },
  'api-key': {
    description: 'the keys that programs sign in with, if API_KEYS is on',
    load: async () => (await import('./api-key/api-key.command.js')).apiKeyCommand,
  },
  site: {
    description: "show and set the site's name, addresses, zone, language, currency, slugs",
    load: async () => (await import('./site.command.js')).siteCommand,
  },
  import: {
    description:
      'bring the events of a calendar file or table into the calendar; again, what has changed in it',
    load: async () => (await import('./import/import.command.js')).importCommand,
  },
  feeds: {
    description: 'the feeds that the server imports again and again',
    load: async () => (await import('./import/feeds.command.js')).feedsCommand,
  },
  export: {
    description: 'write events into a file, or to standard output; without dates of all times',
    load: async () => (await import('./export/export.command.js')).exportCommand,
  },
  seed: {
    description: 'fill a calendar with made-up events, for trying things; nothing takes them out again',
    load: async () => (await import('./seed.command.js')).seedCommand,
  },
  migrate: {
    description:
      'run the migrations of plugins that have not run; an empty database gets the tables of a site',
    load: async () => (await import('./migrate.command.js')).migrateCommand,
  },
  indexes: {
    description: 'list indexes that would make lists faster; a site works without them',
    load: async () => (await import('./indexes.command.js')).indexesCommand,
  },
  grants: {
    description: 'capabilities of plugins that were written into the roles of the site',
    load: async () => (await import('./grants.command.js')).grantsCommand,
  },
  webhook: {
    description: 'addresses that are told of changes (docs/webhooks.md)',
    load: async () => (await import('./webhook.command.js')).webhookCommand,
  },
  dev: {
    description: 'compile plugins, serve them, and restart after each change (docs/extending.md#the-loop)',
    load: async () => (await import('./dev.command.js')).devCommand,
  },
};

/**
 * The `almanac` program: each command is a function in the file of its name. Only commands that `words` name are loaded; of
 * the others the program knows name and description.
 */
export async function program(
  terminal: Terminal,
  words: readonly string[] = Object.keys(COMMANDS),
): Promise<Command> {
  const almanac = new Command('almanac')
    .description(
      'A calendar REST server on the database of a WordPress-style site. Without a command it starts the server.',
    )
    .version(VERSION)
    .addHelpText('after', AFTER)
    .showHelpAfterError('("almanac --help" says more)')
    .exitOverride();
  for (const [name, { description, load }] of Object.entries(COMMANDS)) {
    const command = words.includes(name)
      ? withJson((await load())(terminal), terminal)
      : new Command(name).exitOverride();
    almanac.addCommand(command.description(description));
  }
  return almanac;
}

/** Adds `--json` and a hint at the help to a command and its subcommands. */
function withJson(command: Command, terminal: Terminal, path = command.name()): Command {
  command.exitOverride().showHelpAfterError(`("almanac ${path} --help" says more)`);
  for (const below of command.commands) withJson(below, terminal, `${path} ${below.name()}`);
  if (command.commands.length > 0) return command;
  const json = new Option('--json', 'print the result as JSON').helpGroup('Options:');
  return command.addOption(json).hook('preAction', (_, called) => {
    terminal.isJson = called.opts().json === true;
  });
}
