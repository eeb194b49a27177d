import { Journal } from '../src/changes/journal.service.js';
import { clientOf, type Send } from './support/calendar-client.js';
import { describeEither } from './support/sites.js';
import { verified } from './support/webhook-receiver.js';
import { openWebhookSite, type WebhookSite } from './support/webhook-site.js';

describeEither('webhooks', (database) => {
  let opened: WebhookSite;
  let send: Send;
  beforeAll(async () => {
    opened = await openWebhookSite(database);
    send = clientOf(opened.app.url);
    for (const type of ['tribe_events', 'tribe_venue', 'tribe_organizer', 'post_tag', 'tribe_events_cat'])
      await opened.app.dataSource.query(
        `INSERT INTO wp_almanac_records (record_id, record_type) VALUES (0, '${type}')`,
      );
  });
  afterAll(() => opened?.close());

  it('tells of a new event', async () => {
    const { receiver } = opened;
    console.log(opened.app.nest.get(Journal).isEnabled());
    const { body: hook, status } = await send('admin', 'POST', '/webhooks', { url: `${receiver.url}/a` });
    console.log(status, hook);
    const t = await send('admin', 'POST', `/webhooks/${hook['id']}/test`);
    console.log(t.status, t.body);
    const event = await send('admin', 'POST', '/events', {
      title: 'X',
      start_date: '2091-05-01 10:00:00',
      end_date: '2091-05-01 11:00:00',
    });
    console.log(event.status);
    const [, message] = await receiver.until(2);
    console.log(message?.body, message?.headers, verified(String(hook['secret']), message!));
    console.log((await send('admin', 'GET', `/webhooks/${hook['id']}/deliveries`)).body);
    console.log((await send('admin', 'GET', `/webhooks/${hook['id']}`)).body);
  });
});
