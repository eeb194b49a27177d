import { Module, type OnModuleInit } from '@nestjs/common';
import { EVENT, EventsModule, forbidden, Hooks, postHooks, ResourceModule } from 'almanac';

/** Set on events that nobody sees who is not signed in. */
const members_only = {
  meta: '_members_only',
  type: 'boolean',
  description: 'Whether only members see it.',
  filter: true,
  readableBy: 'read',
} as const;

/**
 * The plugin: `PLUGINS=almanac-example-members-only`. One filter of lists is the whole rule: what it leaves out does not exist for
 * that reader, neither by its id or slug nor as `venues?event=…`, and venues are not said to have events on its account.
 */
@Module({ imports: [EventsModule, ResourceModule.withFields(EVENT, { members_only })] })
export default class MembersOnlyModule implements OnModuleInit {
  constructor(private readonly hooks: Hooks) {}

  onModuleInit(): void {
    const { query, preInsert, prepare } = postHooks(EVENT);

    this.hooks.addFilter(query, (list, { context }) =>
      context.access.signedIn ? list : list.withoutMeta('_members_only', ['1']),
    );

    // A rule on writes: who keeps events from the public must be somebody who may publish them.
    this.hooks.addFilter(preInsert, (fields, { context }) => {
      const isMembersOnly = (fields as { members_only?: boolean }).members_only;
      if (isMembersOnly && !context.access.mayPublish(EVENT.type))
        throw forbidden('Only who may publish events may keep them for members.');
      return fields;
    });

    // And on answers: members are told.
    this.hooks.addFilter(prepare, (event, { context }) =>
      (event as { members_only?: boolean }).members_only && context.access.signedIn
        ? { ...event, title: `${String(event.title)} (members only)` }
        : event,
    );
  }
}
