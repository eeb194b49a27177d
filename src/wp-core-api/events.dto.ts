import { Transform } from 'class-transformer';
import { getContext, type TransformParams } from '../http/params/check-context.js';
import { listItems } from '../http/params/fields.js';
import { makeCheck } from '../http/params/make-check.js';
import { RestArg } from '../http/params/rest-arg.js';
import { EVENT } from '../resources/events/event-type.js';
import { CorePostListQuery, CoreQuery, EnumArg, IdsArg } from './list.dto.js';

const ANY = 'any';

const AreStatuses = makeCheck(
  'areStatuses',
  'may only be publish without the right to edit.',
  (value, values) => {
    const { access } = getContext(values);
    const items = listItems(value);
    const { statuses } = access.types;
    const unknown = items.find((item) => item !== ANY && !statuses.has(item));
    if (unknown !== undefined) return `must be a list of ${[...statuses.keys()].slice(0, 6).join(', ')}.`;
    return access.mayChooseStatus(EVENT.type) || items.every((item) => item === 'publish');
  },
);

/** Declares `status`; undefined selects all statuses that lists show. */
const StatusesArg = (): PropertyDecorator =>
  RestArg(
    { items: 'string', description: 'Only those with one of these statuses; publish by default.' },
    AreStatuses(),
    Transform(({ value }: TransformParams) => {
      const items = value === undefined ? [] : listItems(value);
      if (items.length === 0) return ['publish'];
      return items.includes(ANY) ? undefined : items;
    }),
  );

/** Parameters of `GET /tribe_events`. */
export class ListCoreEventsQuery extends CorePostListQuery {
  @StatusesArg() status?: string[];
  @EnumArg('How filters by several taxonomies go together.', ['AND', 'OR'], 'AND') tax_relation: 'AND' | 'OR';
  @IdsArg('Only in one of these categories.') tribe_events_cat?: number[];
  @IdsArg('In none of these categories.') tribe_events_cat_exclude?: number[];
  @IdsArg('Only with one of these tags.') tags?: number[];
  @IdsArg('With none of these tags.') tags_exclude?: number[];
}

/** Parameters of `GET /tribe_events/<id>`. */
export class GetCoreEventQuery extends CoreQuery {
  @RestArg({
    type: 'string',
    unlocks: 'refuses',
    description: 'Opens an event that is protected by this password.',
  })
  password?: string;
}
