import { Command } from 'commander';
import { wholeNumber } from '../config/parse-variable.js';
import { RequestContexts } from '../http/request-contexts.service.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../webhooks/delivery.entity.js';
import {
  toDeliveryResponse,
  toWebhookResponse,
  type WebhookDeliveryJson,
} from '../webhooks/webhook.response.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { optionValue } from './option-value.js';
import { withSite } from './site-application.js';
import { EXIT, type Terminal } from './terminal.js';

const ID = ['<id>', 'what "almanac webhook list" shows', optionValue(wholeNumber(1, 1e15))] as const;

interface CreateOptions {
  types?: string[];
  description?: string;
  askSecret?: true;
}

/** `almanac webhook`. */
export function webhookCommand(terminal: Terminal): Command {
  const webhooks = <T>(work: (service: WebhooksService) => Promise<T>) =>
    withSite((app) => work(app.get(WebhooksService)));
  /** Prints an attempt; the exit code says whether the message was delivered. */
  const report = (delivery: WebhookDeliveryJson) => {
    terminal.say(line(delivery));
    terminal.json(delivery);
    if (delivery.error !== null) process.exitCode = EXIT.found;
  };
  const command = new Command('webhook');
  command
    .command('list')
    .description('list them, with what they have got')
    .action(async () => {
      const all = await withSite(async (app) => {
        const { base } = await app.get(RequestContexts).anonymous();
        const found = await app.get(WebhooksService).list();
        return found.map(({ webhook, pending }) => toWebhookResponse(webhook, pending, base));
      });
      if (all.length === 0) terminal.say('There is no webhook: almanac webhook create <url> makes one.');
      for (const { id, url, types, enabled, ...hook } of all) {
        const state = enabled ? '' : ', disabled';
        terminal.say(`${id}  ${url}  ${types.join(', ')}${state}`);
        terminal.say(
          `  delivered: ${hook.delivered}, pending: ${hook.pending}, failed attempts: ${hook.failed_attempts}`,
        );
        if (hook.disabled_reason !== null) terminal.say(`  ${hook.disabled_reason}`);
        if (hook.last_missed !== null)
          terminal.say(`  missed ${hook.missed_changes} changes, last at ${hook.last_missed}`);
      }
      terminal.json(all);
    });
  command
    .command('create')
    .description('tell an address of what changes from now on; prints its secret, this once')
    .argument('<url>', 'a public http(s) address')
    .option('--types <type...>', 'only these: event.*, venue.created and the like')
    .option('--description <text>', 'a note')
    .option('--ask-secret', 'ask for the secret, or read it from standard input, instead of making one')
    .action(async (url: string, { askSecret, ...fields }: CreateOptions) => {
      const secret = askSecret && (await terminal.secret('Secret (whsec_…): '));
      const created = await webhooks((service) =>
        service.create({ url, ...fields, ...(secret && { secret }) }),
      );
      terminal.say(`Webhook ${created.id} is created. Its secret, which is not shown again:`);
      terminal.say(created.secret);
      terminal.json({
        id: created.id,
        url: created.url,
        types: created.types.split(','),
        secret: created.secret,
      });
    });
  command
    .command('delete')
    .description('delete one, with its messages')
    .argument(...ID)
    .action(async (id: number) => {
      const { url } = await webhooks((service) => service.remove(id));
      terminal.say(`Webhook ${id} (${url}) is deleted.`);
      terminal.json({ id, url });
    });
  for (const [name, isEnabled, description] of [
    ['enable', true, 'send again, also what has waited or was given up'],
    ['disable', false, 'send nothing until it is enabled'],
  ] as const)
    command
      .command(name)
      .description(description)
      .argument(...ID)
      .action(async (id: number) => {
        const { url } = await webhooks((service) => service.update(id, { enabled: isEnabled }));
        terminal.say(`Webhook ${id} (${url}) is ${name}d.`);
        terminal.json({ id, url, enabled: isEnabled });
      });
  command
    .command('test')
    .description('send a message of the type webhook.test, and say what comes back')
    .argument(...ID)
    .action(async (id: number) => report(toDeliveryResponse(await webhooks((service) => service.test(id)))));
  command
    .command('deliveries')
    .description('list its messages, newest first')
    .argument(...ID)
    .option('--status <status>', `only ${DELIVERY_STATUSES.join(', ')} ones`)
    .option('--page <n>', 'which page', optionValue(wholeNumber(1, 1e9)), 1)
    .option('--per-page <n>', 'how many on a page', optionValue(wholeNumber(1, 500)), 50)
    .action(
      async (
        id: number,
        { status, page, perPage }: { status?: DeliveryStatus; page: number; perPage: number },
      ) => {
        const { rows, total } = await webhooks((service) =>
          service.listDeliveries(id, { page, per_page: perPage, ...(status && { status }) }),
        );
        const deliveries = rows.map(toDeliveryResponse);
        if (total === 0) terminal.say('There is no such message.');
        for (const delivery of deliveries) terminal.say(line(delivery));
        if (total > page * perPage) terminal.say(`… of ${total}; --page ${page + 1} shows more.`);
        terminal.json({ total, deliveries });
      },
    );
  command
    .command('redeliver')
    .description('send a message again, now')
    .argument(...ID)
    .argument('<message>', 'what "almanac webhook deliveries" shows')
    .action(async (id: number, message: string) =>
      report(toDeliveryResponse(await webhooks((service) => service.redeliver(id, message)))),
    );
  return command;
}

function line({
  id,
  type,
  record,
  status,
  attempts,
  error,
  next_attempt: next,
}: WebhookDeliveryJson): string {
  const what = record === null ? type : `${type} ${record}`;
  const later = next === null ? '' : `, next attempt ${next}`;
  return `${id}  ${what}  ${status} (attempts: ${attempts}${later})${error === null ? '' : `: ${error}`}`;
}
