import type { ChangeKind } from '../changes/change.js';
import { invalidParameter } from '../common/errors/rest-exception.js';
import type { Resource } from '../resources/base/resource.js';

/** The message that asks a receiver for a response. */
export const TEST = 'webhook.test';
/** The message that tells of changes that were trimmed before they could be delivered. */
export const GAP = 'webhook.gap';

const CHANGES: readonly ChangeKind[] = [
  'created',
  'updated',
  'rescheduled',
  'trashed',
  'restored',
  'deleted',
];

/** Parses the types of a webhook, each `*`, `event.*` or `event.created`; throws 400 for unknown ones. */
export function parseTypes(items: readonly string[], resources: readonly Resource[]): string[] {
  const known = new Set(['*']);
  for (const { singular } of resources)
    for (const change of ['*', ...CHANGES]) known.add(`${singular}.${change}`);
  const unknown = items.find((item) => !known.has(item));
  if (unknown !== undefined)
    throw invalidParameter(
      'types',
      `types names ${JSON.stringify(unknown.slice(0, 100))}: it takes *, event.*, event.created and the like, of ${resources.map(({ singular }) => singular).join(', ')}, with ${CHANGES.join(', ')}.`,
    );
  return items.length === 0 ? ['*'] : [...new Set(items)];
}

/** Whether a webhook with these types, joined by commas, gets a message of this type. */
export function isWanted(types: string, type: string): boolean {
  const wildcard = type.replace(/\..*$/, '.*');
  return types.split(',').some((one) => one === '*' || one === wildcard || one === type);
}
