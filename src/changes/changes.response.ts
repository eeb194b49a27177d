import { INTEGER, Member } from '../resources/base/member.js';
import type { ChangeKind } from './change.js';

/** A record that was changed, or that is not there any more. */
export class ChangedRecordJson {
  @Member({ description: 'Its kind, as in the address of its list: events, venues and so on.' }) type: string;
  @Member(INTEGER) id: number;
  @Member({
    type: 'string',
    enum: ['created', 'updated', 'rescheduled', 'restored', 'trashed', 'deleted'],
    description: 'What happened to it, as this caller sees it.',
  })
  change: ChangeKind;
  @Member({
    description: 'true: remove it. It was trashed or deleted, or this caller may not see it any more.',
    optional: true,
  })
  deleted?: true;
  @Member({ type: ['string', 'null'], description: 'The last one that this caller could see.' }) slug:
    | string
    | null;
  @Member({ type: ['string', 'null'], description: 'When it was last modified, in UTC; null for terms.' })
  modified: string | null;
  @Member({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the change was noticed; null in the listing of everything.',
  })
  changed_at: string | null;
  @Member({
    type: 'object',
    description: 'The record as its own address shows it, events with `recurrence`.',
    optional: true,
  })
  record?: object;
}

/** A page of changes. */
export class ChangesJson {
  @Member({ type: 'array', items: ChangedRecordJson }) changes: ChangedRecordJson[];
  @Member({ description: 'What the next request sends as `since`.' }) token: string;
  @Member({ description: 'Whether more can be read at once.' }) has_more: boolean;
}
