import type { Database } from '../../database/database.js';
import { metaOf } from '../../wordpress/posts/post-rows.js';
import { COST_KEYS } from './cost.js';
import { costRows } from './cost-write.js';
import { costText, plainText } from './event-entry.js';
import type { EventJson } from './event-json.js';
import type { PostOf } from './several-occurrences.js';

/**
 * The costs of events as texts that a write stores identically: the stored text if it is a single one, since for
 * `Adults 10, kids 5` responses have prices only. Locked events are not read.
 */
export async function writtenCosts(
  database: Database,
  events: readonly EventJson[],
  locale: string,
  postOf: PostOf,
): Promise<(event: EventJson) => string | undefined> {
  const open = events.filter(({ all_day }) => all_day !== null).map(({ id }) => id);
  const meta = await metaOf(database, 'post', [...new Set(open.map(postOf))], { keys: [COST_KEYS.cost] });
  return (event) => {
    const [text = '', ...more] = meta.get(postOf(event.id))?.get(COST_KEYS.cost) ?? [];
    const written = costRows(text, locale);
    const isSame =
      more.length === 0 &&
      event.cost_details.currency_symbol === '' &&
      written?.symbol === '' &&
      written.costs.length === 1 &&
      written.costs[0] === text &&
      plainText(text) === text;
    return isSame ? text || undefined : costText(event);
  };
}
