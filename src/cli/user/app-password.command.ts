import { Command } from 'commander';
import { withSite } from '../site-application.js';
import type { Terminal } from '../terminal.js';
import { AppPasswordAdmin } from './app-password.js';

export function appPasswordCommand(terminal: Terminal): Command {
  const admin = <T>(work: (admin: AppPasswordAdmin) => Promise<T>) =>
    withSite((app) => work(new AppPasswordAdmin(app)));
  const command = new Command('app-password').description('the passwords that programs sign in with');
  command
    .command('list')
    .description("list a user's application passwords")
    .argument('<login>', 'login name or e-mail address')
    .action(async (login: string) => {
      const passwords = await admin((all) => all.list(login));
      for (const { uuid, name, created, lastUsed, lastIp } of passwords)
        terminal.say(
          `${uuid}  ${name}, made ${created}, ${lastUsed ? `last used ${lastUsed} from ${lastIp}` : 'never used'}`,
        );
      if (passwords.length === 0) terminal.say(`"${login}" has no application password.`);
      terminal.json(passwords);
    });
  command
    .command('create')
    .description('make an application password; it is shown once')
    .argument('<login>', 'login name or e-mail address')
    .option('--name <name>', 'what it is for', 'Almanac')
    .action(async (login: string, { name }: { name: string }) => {
      const created = await admin((all) => all.create(login, name));
      terminal.say(
        `The application password "${name}" of "${login}" is "${created.password}" and is not shown again.`,
      );
      terminal.json({ login, name, ...created });
    });
  command
    .command('revoke')
    .description('take application passwords back')
    .argument('<login>', 'login name or e-mail address')
    .argument('[which]', 'uuid or name of one')
    .option('--all', 'all of them')
    .action(async (login: string, which: string | undefined, { all }: { all?: boolean }, self: Command) => {
      if ((which === undefined) === (all === undefined)) self.error('error: name one, or say --all');
      const revoked = await admin((users) => users.revoke(login, which));
      terminal.say(`Application passwords taken back: ${revoked}.`);
      terminal.json({ login, revoked });
    });
  return command;
}
