import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Client, Records } from './calendar.js';
import { toWallClock } from './dates.js';
import { rejected } from './failure.js';
import { type JsonObject, toObject } from './json.js';
import { type Extent, toShortRecord } from './records.js';
import type { Call, Tool } from './tool.js';

type Kind = 'events' | 'venues' | 'organizers';

/** What tools do that change nothing. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
const ADDS: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
const OVERWRITES: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };

const DATE_HINT =
  'Dates are local times in `timezone` (the site\'s without it), such as "2027-05-18 19:00:00"; with an offset, name `timezone` too.';
const SCOPE_HINT =
  'Dates of a recurring event have ids of their own: `scope` says whether this date, it and the following, or all are meant.';

const HINTS: Partial<Record<string, string>> = {
  find_events:
    'Without dates: from now on, soonest first. Past events need `start_date`. For a place or organizer by name, call find_venues or find_organizers first and pass ids.',
  get_event: 'The id is that of find_events. Before editing texts, ask with `_raw` and `context=edit`.',
  find_venues: '`search` also finds addresses and cities.',
  create_event: DATE_HINT,
  update_event: `${DATE_HINT} ${SCOPE_HINT} A \`status\` takes an event out of the trash.`,
  trash_event: `It can be restored: update_event with a \`status\`. ${SCOPE_HINT}`,
  trash_venue: 'It can be restored: update_venue with a `status`.',
  trash_organizer: 'It can be restored: update_organizer with a `status`.',
};

/** The tool that reads pages of a list. */
export function findTool(many: keyof Client): Tool {
  return tool(
    `find_${many}`,
    `Find ${many}`,
    [`/${many}`, 'get'],
    READS,
    async ({ args, signal, ...call }) => {
      const records = (await clientOf(call))[many];
      const { items, total, totalPages } = await records.list(args, { signal });
      const page = Number(args['page'] ?? 1);
      return {
        [many]: items.map((item) => toShortRecord(item, 'list')),
        total,
        ...(page < totalPages ? { next_page: page + 1 } : {}),
      };
    },
  );
}

/** The tools of one kind of record that has a trash. */
export function recordTools(many: Kind, one: string): Tool[] {
  const record = `/${many}/{id}`;
  const writes = (run: (records: Records, call: Call) => Promise<object>, extent: Extent = 'whole') => {
    return async (call: Call) => ({
      [one]: toShortRecord(await run((await clientOf(call))[many], call), extent),
    });
  };
  return [
    findTool(many),
    tool(`get_${one}`, `Read one ${one}`, [record, 'get'], READS, async (call) => {
      const { id, ...query } = call.args;
      // Without its rule a recurring event looks like a single one.
      const recurrence = many === 'events' ? { recurrence: true } : {};
      const { signal } = call;
      const found = await (await clientOf(call))[many].get(toId(id), {
        query: { ...recurrence, ...query },
        signal,
      });
      return { [one]: toShortRecord(found, 'whole') };
    }),
    tool(
      `create_${one}`,
      `Create one ${one}`,
      [`/${many}`, 'post'],
      ADDS,
      writes((records, { args, signal }) => records.create(withLocalDates(args), { signal })),
    ),
    tool(
      `update_${one}`,
      `Change one ${one}`,
      [record, 'put'],
      OVERWRITES,
      writes((records, { args: { id, ...changes }, signal }) =>
        records.update(toId(id), withLocalDates(changes), { signal }),
      ),
    ),
    tool(
      `trash_${one}`,
      `Move one ${one} to the trash`,
      [record, 'delete'],
      OVERWRITES,
      writes(
        (records, { args: { id, scope }, signal }) =>
          records.trash(toId(id), { ...(scope === undefined ? {} : { scope: String(scope) }), signal }),
        'list',
      ),
    ),
  ];
}

const tool = (
  name: string,
  title: string,
  operation: Tool['operation'],
  annotations: ToolAnnotations,
  run: Tool['run'],
): Tool => ({ name, title, hint: HINTS[name], operation, annotations, run });

const clientOf = ({ calendar, credentials }: Pick<Call, 'calendar' | 'credentials'>) =>
  calendar.clientOf(credentials);

/** The id goes into the path, where the interface would take other values for another route. */
function toId(value: unknown): number {
  const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0) return id;
  throw rejected('rest_invalid_param', 'Invalid parameter(s): id', { id: 'id must be a positive integer.' });
}

function withLocalDates(fields: JsonObject): JsonObject {
  const dates = ['start_date', 'end_date'].filter((name) => fields[name] !== undefined);
  const local = dates.map((name) => [name, toWallClock(name, fields[name], fields['timezone'])]);
  return { ...fields, ...toObject(Object.fromEntries(local)) };
}
