import { Command } from 'commander';
import { names, wholeNumber } from '../../config/parse-variable.js';
import { optionValue } from '../option-value.js';
import { withSite } from '../site-application.js';
import type { Terminal } from '../terminal.js';
import { ApiKeyAdmin, type NewApiKey } from './api-key.js';

export function apiKeyCommand(terminal: Terminal): Command {
  const admin = <T>(work: (admin: ApiKeyAdmin) => Promise<T>) =>
    withSite((app) => work(new ApiKeyAdmin(app)));
  const command = new Command('api-key');
  command
    .command('create')
    .description('make an API key of a user; it is shown once')
    .usage('[options] --name <name> <login>')
    .argument('<login>', 'login name or e-mail address')
    .requiredOption('--name <name>', 'what it is for')
    .option('--can <capabilities>', 'the only capabilities that it has, comma-separated', optionValue(names))
    .option('--days <n>', 'days until it expires', optionValue(wholeNumber(1, 36_500)))
    .action(async (login: string, options: Omit<NewApiKey, 'login'>) => {
      const { ran, created, isOn } = await admin(async (keys) => ({
        ran: await keys.createTable(),
        created: await keys.create({ login, ...options }),
        isOn: keys.isOn,
      }));
      for (const name of ran) terminal.say(`Made the table of API keys (${name}).`);
      terminal.say(
        `The API key ${created.id} "${options.name}" of "${login}" is ${created.key} and is not shown again.`,
      );
      if (!isOn) terminal.say('Servers accept it with API_KEYS=on only.');
      terminal.json({ login, name: options.name, ...created });
    });
  command
    .command('list')
    .description('list API keys')
    .argument('[login]', 'only those of this user')
    .action(async (login: string | undefined) => {
      const keys = await admin((all) => all.list(login));
      for (const { id, name, login: owner, capabilities, created, expires, lastUsed } of keys)
        terminal.say(
          [
            `${id}  "${name}" of ${owner}, created ${created}`,
            expires ? `expires ${expires}` : 'never expires',
            lastUsed ? `last used in the hour of ${lastUsed}` : 'never used',
            capabilities ? `may only ${capabilities.join(', ')}` : 'may do what its user may',
          ].join(', '),
        );
      if (keys.length === 0) terminal.say('There is no API key.');
      terminal.json(keys);
    });
  command
    .command('revoke')
    .description('take an API key back, at once')
    .argument('<id>', 'its id, as "almanac api-key list" shows it')
    .action(async (id: string) => {
      const name = await admin((all) => all.revoke(id));
      terminal.say(`The API key "${name}" is revoked.`);
      terminal.json({ id, name });
    });
  return command;
}
