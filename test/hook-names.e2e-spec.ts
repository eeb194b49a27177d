import { Module, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { EVENT, Hooks, postHooks, StartError, TAG, termHooks } from 'almanac';
import { startTestServer, type TestServer } from 'almanac/testing';

type RegistersHook = (hooks: Hooks) => void;

/** A plugin that registers hooks in onModuleInit or in onApplicationBootstrap. */
function registering(add: RegistersHook, lateAdd?: RegistersHook) {
  @Module({})
  class RegisteringPlugin implements OnModuleInit, OnApplicationBootstrap {
    constructor(private readonly hooks: Hooks) {}

    onModuleInit(): void {
      add(this.hooks);
    }

    onApplicationBootstrap(): void {
      lateAdd?.(this.hooks);
    }
  }
  return RegisteringPlugin;
}

const identity = <T>(value: T): T => value;
const noop = () => undefined;

it.each<[string, RegistersHook]>([
  ['filter', (hooks) => hooks.addFilter('rest_prepare_tribe_events', undefined as unknown as () => unknown)],
  ['action', (hooks) => hooks.addAction('rest_after_insert_tribe_events', {} as unknown as () => void)],
])('a %s that is no function prevents the start', async (_, add) => {
  await expect(startTestServer({ plugins: [registering(add)] })).rejects.toThrow(
    /^The hook rest_\w+ needs a function\.$/,
  );
});

describe('a hook that is never called', () => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  it.each<[string, RegistersHook, string]>([
    [
      'a misspelled filter',
      (hooks) => hooks.addFilter('rest_tribe_event_query', identity),
      'Nothing calls the filter rest_tribe_event_query: is it rest_tribe_events_query?',
    ],
    [
      'a misspelled action',
      (hooks) => hooks.addAction('rest_after_insert_tribe_venues', noop),
      'Nothing calls the action rest_after_insert_tribe_venues: is it rest_after_insert_tribe_venue?',
    ],
    [
      'a filter name of the calendar plugin',
      (hooks) => hooks.addFilter('tribe_rest_event_data', identity),
      expect.stringMatching(
        /^Nothing calls the filter tribe_rest_event_data\. There are rest_attachment_query, .*rest_prepare_tribe_events, .*\.$/,
      ),
    ],
    [
      'a type that is no resource',
      (hooks) => hooks.addAction(postHooks({ ...EVENT, type: 'acme_seat' }).delete, noop),
      expect.stringMatching(/^Nothing calls the action rest_delete_acme_seat\. There are /),
    ],
    [
      'an action as a filter',
      (hooks) => hooks.addFilter('rest_delete_tribe_events', identity),
      'rest_delete_tribe_events is no filter but an action.',
    ],
    [
      'a filter as an action',
      (hooks) => hooks.addAction('rest_prepare_post_tag', noop),
      'rest_prepare_post_tag is no action but a filter.',
    ],
  ])('prevents the start: %s', async (_, add, message) => {
    for (const plugin of [registering(add), registering(noop, add)]) {
      const rejected = await startTestServer({ plugins: [plugin] }).catch((error: unknown) => error);
      expect(rejected).toBeInstanceOf(StartError);
      expect((rejected as Error).message).toEqual(message);
    }
  });

  it('throws when it is added to a running server', async () => {
    server = await startTestServer();
    const hooks = server.app.get(Hooks);
    expect(() => hooks.addFilter('rest_prepare_tribe_event', identity)).toThrow('rest_prepare_tribe_events');
    expect(hooks.has({ name: 'rest_prepare_tribe_event' })).toBe(false);
  });

  it('does not include built-in hooks and those that a plugin defines', async () => {
    const subscriber = registering((hooks) => {
      hooks.addFilter('acme_price', (price: number) => price * 2);
      hooks.addFilter('rest_attachment_query', identity);
      hooks.addFilter(termHooks(TAG).query, identity);
      hooks.addAction(termHooks(TAG).delete, noop);
    });
    const definer = registering((hooks) => hooks.define('filter', 'acme_price'));
    server = await startTestServer({ plugins: [subscriber, definer] });
    const hooks = server.app.get(Hooks);
    expect(await hooks.apply({ name: 'acme_price' }, 5, {})).toBe(10);
  });
});
