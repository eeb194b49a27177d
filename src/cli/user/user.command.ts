import { Command } from 'commander';
import { randomPassword } from '../../auth/application-password.js';
import { wholeNumber } from '../../config/parse-variable.js';
import { optionValue } from '../option-value.js';
import { withSite } from '../site-application.js';
import type { Terminal } from '../terminal.js';
import { AppPasswordAdmin } from './app-password.js';
import { UserAdmin } from './user.js';

const ASK = ['--ask', 'ask for the password, or read it from standard input, instead of making one'] as const;

/** The name of the application password of a new user. */
const EDITOR_PASSWORD = 'Editor';

export function userCommand(terminal: Terminal): Command {
  const admin = <T>(work: (admin: UserAdmin) => Promise<T>) => withSite((app) => work(new UserAdmin(app)));
  const command = new Command('user');
  command
    .command('list')
    .description('list users, page by page')
    .option('--search <text>', 'only those with this text in login, e-mail address or name')
    .option('--role <role>', 'only those with this role')
    .option('--page <n>', 'which page', optionValue(wholeNumber(1, 1e9)), 1)
    .option('--per-page <n>', 'how many on a page', optionValue(wholeNumber(1, 500)), 50)
    .action(async (options: { search?: string; role?: string; page: number; perPage: number }) => {
      const { users, total } = await admin((all) => all.list(options));
      for (const { id, login, email, name, roles, applicationPasswords } of users) {
        const passwords = applicationPasswords > 0 ? `, application passwords: ${applicationPasswords}` : '';
        terminal.say(`${id}  ${login}  <${email}>  ${name}: ${roles.join(', ') || 'no role'}${passwords}`);
      }
      terminal.say(`Page ${options.page} of ${Math.ceil(total / options.perPage)}, ${total} in all.`);
      terminal.json({ users, total, page: options.page, perPage: options.perPage });
    });
  command
    .command('create')
    .description('make a user and an application password for /editor; passwords are shown once')
    .usage('[options] --role <role> <login> <email>')
    .argument('<login>', 'the login name')
    .argument('<email>', 'the e-mail address, which no other user has')
    .requiredOption('--role <role>', 'a role of the site, such as administrator or editor')
    .option('--name <name>', 'the name that is shown')
    .option(...ASK)
    .action(
      async (
        login: string,
        email: string,
        { ask, ...more }: PasswordOptions & { role: string; name?: string },
      ) => {
        const password = await passwordFor(ask);
        const { id, editor } = await withSite(async (app) => ({
          id: await new UserAdmin(app).create({ login, email, ...more }, password),
          editor: ask ? undefined : await new AppPasswordAdmin(app).create(login, EDITOR_PASSWORD),
        }));
        terminal.say(`Made the user "${login}" with the id ${id}.`);
        if (editor)
          terminal.say(
            `Sign in at /editor as "${login}" with the application password "${editor.password}", which is not shown again.`,
          );
        else terminal.say(`"almanac user app-password create ${login}" makes the password for /editor.`);
        tell({ id, login, ...(editor && { applicationPassword: editor.password }) }, password, ask);
      },
    );
  command
    .command('password')
    .description('set the password of an account, which ends all of its sessions')
    .argument('<login>', 'login name or e-mail address')
    .option(...ASK)
    .action(async (login: string, { ask }: PasswordOptions) => {
      const password = await passwordFor(ask);
      await admin((all) => all.setPassword(login, password));
      terminal.say(`Set the password of "${login}"; who was signed in as that user is no more.`);
      tell({ login }, password, ask);
    });
  command
    .command('role')
    .description('give a user this role and no other')
    .argument('<login>', 'login name or e-mail address')
    .argument('<role>', 'a role of the site')
    .option('--force', 'even if nobody is an administrator then')
    .action(async (login: string, role: string, { force }: { force?: boolean }) => {
      await admin((all) => all.setRole(login, role, force));
      terminal.say(`"${login}" has the role ${role}.`);
      terminal.json({ login, role });
    });
  command.addCommand(appPasswordCommand(terminal));
  return command;

  async function passwordFor(ask: boolean | undefined): Promise<string> {
    return ask ? terminal.secret('New password: ') : randomPassword();
  }

  /** Prints a generated password, once. */
  function tell(about: object, password: string, ask: boolean | undefined): void {
    if (!ask)
      terminal.say(
        `The password of the account, which /editor does not take, is ${password} and is not shown again.`,
      );
    terminal.json({ ...about, ...(!ask && { password }) });
  }
}

interface PasswordOptions {
  ask?: boolean;
}

/** `almanac user app-password`. */
function appPasswordCommand(terminal: Terminal): Command {
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
      if ((which === undefined) === (all === undefined)) self.error('error: name one, or add --all');
      const revoked = await admin((users) => users.revoke(login, which));
      terminal.say(`Application passwords taken back: ${revoked}.`);
      terminal.json({ login, revoked });
    });
  return command;
}
