import { Command } from 'commander';
import { SiteAdmin } from './site.js';
import { withSite } from './site-application.js';
import { SITE_KEYS } from './site-keys.js';
import type { Terminal } from './terminal.js';

const KEYS = `
Keys:
${SITE_KEYS.map(({ name, takes, stored }) => `  ${name.padEnd(18)}${takes} (${stored})`).join('\n')}`;

export function siteCommand(terminal: Terminal): Command {
  const admin = <T>(work: (admin: SiteAdmin) => Promise<T>) => withSite((app) => work(new SiteAdmin(app)));
  const command = new Command('site');
  command
    .command('show')
    .description('show the settings, and where they are stored')
    .argument('[key]', 'only this one')
    .addHelpText('after', KEYS)
    .action(async (key: string | undefined) => {
      const settings = await admin((site) => site.show(key));
      for (const { name, value, stored } of settings)
        terminal.say(key ? value : `${name.padEnd(18)}${value.padEnd(32)} (${stored})`);
      terminal.json(settings);
    });
  command
    .command('set')
    .description('set one of them')
    .argument('<key>', 'which one')
    .argument('<value>', 'what it becomes')
    .addHelpText('after', KEYS)
    .action(async (key: string, value: string) => {
      const { before, now, after } = await admin((site) => site.set(key, value));
      terminal.say(
        before === now ? `${key} was "${now}" already.` : `${key} was "${before}" and is "${now}" now.`,
      );
      if (after) terminal.note(after);
      if (before !== now)
        terminal.note(
          'A WordPress beside it that keeps objects in Redis or memcached has to flush that cache.',
        );
      terminal.json({ key, before, now });
    });
  return command;
}
