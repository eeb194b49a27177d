import { COST_KEYS, type CurrencyOptions, eventCost } from './cost.js';
import { type CostRows, costRows } from './cost-write.js';
import { firstMeta, type PostRecord } from '../../wordpress/posts/post-record.js';

type Stored = Pick<PostRecord, 'meta'>;

/** Most rows and letters of a cost that a file may bring as stored. */
const MAX_ROWS = 1000;
const MAX_TEXT_LENGTH = 2000;

/**
 * The rows of a cost as JSON, which an import stores as they are; undefined where its plain text, written anew (W12), shows the
 * same prices.
 */
export function storedCost(
  event: Stored,
  text: string | undefined,
  options: CurrencyOptions,
  locale: string,
): string | undefined {
  const costs = event.meta.get(COST_KEYS.cost) ?? [];
  const symbol = firstMeta(event, COST_KEYS.symbol) ?? '';
  const position = firstMeta(event, COST_KEYS.position) ?? '';
  const rewritten = text === undefined ? undefined : costRows(text, locale);
  const shown = (one: Stored) => JSON.stringify(eventCost(one, options, locale));
  if (rewritten ? shown(event) === shown({ meta: metaOf(rewritten) }) : text === costs[0]) return undefined;
  return JSON.stringify({ text, costs, symbol, position });
}

/** Reads what `storedCost` has written of this text; undefined for anything else, and where somebody has changed the text. */
export function readStoredCost(stored: unknown, text: unknown): CostRows | undefined {
  try {
    const { costs, symbol, position, text: before } = JSON.parse(String(stored)) as Record<string, unknown>;
    if ((before ?? '') !== (text ?? '')) return undefined;
    const isText = (value: unknown): value is string =>
      typeof value === 'string' && value.length <= MAX_TEXT_LENGTH;
    if (!Array.isArray(costs) || costs.length > MAX_ROWS || !costs.every(isText) || !isText(symbol))
      return undefined;
    return { costs, symbol, position: position === 'prefix' || position === '' ? position : 'postfix' };
  } catch {
    return undefined;
  }
}

function metaOf({ costs, symbol, position }: CostRows): Stored['meta'] {
  return new Map([
    [COST_KEYS.cost, costs],
    [COST_KEYS.symbol, [symbol]],
    [COST_KEYS.position, [position]],
  ]);
}
