import { Command } from 'commander';
import { GrantsService } from '../plugins/grants.service.js';
import { withSite } from './site-application.js';
import type { Terminal } from './terminal.js';

export function grantsCommand(terminal: Terminal): Command {
  const grants = <T>(work: (grants: GrantsService) => Promise<T>) =>
    withSite((app) => work(app.get(GrantsService)));
  const command = new Command('grants');
  command
    .command('list')
    .description('list what was granted to which role')
    .action(async () => {
      const all = await grants((service) => service.recorded());
      if (all.length === 0) terminal.say('Nothing was granted.');
      for (const { name, isRevoked, roles } of all)
        terminal.say(
          `${name}: ${
            isRevoked
              ? 'revoked'
              : Object.entries(roles)
                  .map(([role, capabilities]) => `${role} (${capabilities.join(', ')})`)
                  .join('; ') || 'nothing that roles did not have'
          }`,
        );
      terminal.json(all);
    });
  command
    .command('revoke')
    .description('take back from the roles what was granted; later starts do not grant it again')
    .argument('<name>', 'what "almanac grants list" calls it')
    .action(async (name: string) => {
      const { roles } = await grants((service) => service.revoke(name));
      terminal.say(`${name} is revoked: ${Object.keys(roles).join(', ') || 'no role'}.`);
      terminal.json({ name, roles });
    });
  command
    .command('restore')
    .description('let the next start grant again what was revoked')
    .argument('<name>', 'what "almanac grants list" calls it')
    .action(async (name: string) => {
      await grants((service) => service.restore(name));
      terminal.say(`The next start of the server grants ${name} again.`);
      terminal.json({ name });
    });
  return command;
}
