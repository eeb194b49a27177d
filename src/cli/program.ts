import { createRequire } from 'node:module';
import { Command, Option } from 'commander';
import { apiKeyCommand } from './api-key/api-key.command.js';
import { devCommand } from './dev.command.js';
import { doctorCommand } from './doctor.command.js';
import { exportCommand } from './export/export.command.js';
import { grantsCommand } from './grants.command.js';
import { feedsCommand } from './import/feeds.command.js';
import { importCommand } from './import/import.command.js';
import { indexesCommand } from './indexes.command.js';
import { migrateCommand } from './migrate.command.js';
import { seedCommand } from './seed.command.js';
import { shadowCommand } from './shadow.command.js';
import { siteCommand } from './site.command.js';
import type { Terminal } from './terminal.js';
import { userCommand } from './user/user.command.js';
import { verifyCommand } from './verify.command.js';
import { webhookCommand } from './webhook.command.js';

const VERSION: string = createRequire(import.meta.url)('../../package.json').version;

const AFTER = `
The environment says which database: DATABASE_URL, TABLE_PREFIX and whatever else docs/configuration.md lists.
Exit codes: 0 done, 1 could not be done, 2 not understood, 3 done and something was found.
NO_COLOR=1 turns colors off.`;

/** The `almanac` program: each command is a function in the file of its name. */
export function program(terminal: Terminal): Command {
  const almanac = new Command('almanac')
    .description(
      'A calendar REST server on the database of a WordPress-style site. Without a command it starts the server.',
    )
    .version(VERSION)
    .addHelpText('after', AFTER)
    .showHelpAfterError('("almanac --help" says more)')
    .exitOverride();
  for (const command of [
    doctorCommand,
    verifyCommand,
    shadowCommand,
    userCommand,
    apiKeyCommand,
    siteCommand,
    importCommand,
    feedsCommand,
    exportCommand,
    seedCommand,
    migrateCommand,
    indexesCommand,
    grantsCommand,
    webhookCommand,
    devCommand,
  ])
    almanac.addCommand(withJson(command(terminal), terminal));
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
