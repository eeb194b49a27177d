import { Command } from 'commander';
import { StartError } from '../../database/start-error.js';
import { FollowedFeeds } from '../../imports/followed-feeds.service.js';
import { withSite } from '../site-application.js';
import type { Terminal } from '../terminal.js';

/** `almanac feeds`. */
export function feedsCommand(terminal: Terminal): Command {
  const feeds = <T>(work: (feeds: FollowedFeeds) => Promise<T>) =>
    withSite((app) => work(app.get(FollowedFeeds)));
  const command = new Command('feeds');
  command
    .command('list')
    .description('say which feeds are followed')
    .action(async () => {
      const all = await feeds((service) => service.list());
      if (all.length === 0) terminal.say('No feed is followed: almanac import --url … --every 1h begins.');
      for (const { url, as, every, nextAt, error } of all) {
        const next = new Date(nextAt * 1000).toISOString().slice(0, 16).replace('T', ' ');
        terminal.say(`${url}: every ${every / 60} minutes as ${as}, next at ${next} UTC`);
        if (error) terminal.say(`  failed: ${error}`);
      }
      terminal.json(all);
    });
  command
    .command('forget')
    .description('follow a feed no longer; its events stay')
    .argument('<address>', 'what "almanac feeds list" shows')
    .action(async (address: string) => {
      if (!(await feeds((service) => service.forget(address))))
        throw new StartError(`${address} is not followed.`);
      terminal.say(`${address} is no longer followed. Its events stay.`);
      terminal.json({ url: address });
    });
  return command;
}
