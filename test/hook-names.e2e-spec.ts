import { Module, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { EVENT, Hooks, postHooks, StartError, TAG, termHooks } from 'almanac';
import { startTestServer, type TestServer } from 'almanac/testing';

type RegistersHook = (hooks: Hooks) => void;

/** A plugin that adds something to hooks when its module starts, or when all modules have. */
function registering(add: RegistersHook, late?: RegistersHook) {
  @Module({})
  class RegisteringPlugin implements OnModuleInit, OnApplicationBootstrap {
    constructor(private readonly hooks: Hooks) {}

    onModuleInit(): void {
      add(this.hooks);
    }

    onApplicationBootstrap(): void {
      late?.(this.hooks);
    }
  }
  return RegisteringPlugin;
}

const same = <T>(value: T): T => value;
const nothing = () => undefined;

it.each<[string, RegistersHook]>([
  ['filter', (hooks) => hooks.addFilter('rest_prepare_tribe_events', undefined as unknown as () => unknown)],
  ['action', (hooks) => hooks.addAction('rest_after_insert_tribe_events', {} as unknown as () => void)],
])('a %s that is no function keeps the server from starting', async (_, add) => {
  await expect(startTestServer({ plugins: [registering(add)] })).rejects.toThrow(
    /^The hook rest_\w+ needs a function\.$/,
  );
});

describe('a hook that nothing calls', () => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  it.each<[string, RegistersHook, string]>([
    [
      'a misspelled filter',
      (hooks) => hooks.addFilter('rest_tribe_event_query', same),
      'Nothing calls the filter rest_tribe_event_query: is it rest_tribe_events_query?',
    ],
    [
      'a misspelled action',
      (hooks) => hooks.addAction('rest_after_insert_tribe_venues', nothing),
      'Nothing calls the action rest_after_insert_tribe_venues: is it rest_after_insert_tribe_venue?',
    ],
    [
      "the plugin's own name for it",
      (hooks) => hooks.addFilter('tribe_rest_event_data', same),
      expect.stringMatching(
        /^Nothing calls the filter tribe_rest_event_data\. There are rest_attachment_query, .*rest_prepare_tribe_events, .*\.$/,
      ),
    ],
    [
      'a type that is no resource',
      (hooks) => hooks.addAction(postHooks({ ...EVENT, type: 'acme_seat' }).delete, nothing),
      expect.stringMatching(/^Nothing calls the action rest_delete_acme_seat\. There are /),
    ],
    [
      'an action as a filter',
      (hooks) => hooks.addFilter('rest_delete_tribe_events', same),
      'rest_delete_tribe_events is no filter but an action.',
    ],
    [
      'a filter as an action',
      (hooks) => hooks.addAction('rest_prepare_post_tag', nothing),
      'rest_prepare_post_tag is no action but a filter.',
    ],
  ])('keeps the server from starting: %s', async (_, add, message) => {
    for (const plugin of [registering(add), registering(nothing, add)]) {
      const rejected = await startTestServer({ plugins: [plugin] }).catch((error: unknown) => error);
      expect(rejected).toBeInstanceOf(StartError);
      expect((rejected as Error).message).toEqual(message);
    }
  });

  it('is refused at once in a server that runs', async () => {
    server = await startTestServer();
    const hooks = server.app.get(Hooks);
    expect(() => hooks.addFilter('rest_prepare_tribe_event', same)).toThrow('rest_prepare_tribe_events');
    expect(hooks.has({ name: 'rest_prepare_tribe_event' })).toBe(false);
  });

  it('is none where it is there: all of ours, and those that a plugin defines', async () => {
    const joins = registering((hooks) => {
      hooks.addFilter('acme_price', (price: number) => price * 2);
      hooks.addFilter('rest_attachment_query', same);
      hooks.addFilter(termHooks(TAG).query, same);
      hooks.addAction(termHooks(TAG).delete, nothing);
    });
    const defines = registering((hooks) => hooks.define('filter', 'acme_price'));
    server = await startTestServer({ plugins: [joins, defines] });
    const hooks = server.app.get(Hooks);
    expect(await hooks.apply({ name: 'acme_price' }, 5, {})).toBe(10);
  });
});
