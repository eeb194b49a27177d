import { firstMeta, type PostRecord } from '../../wordpress/posts/post-record.js';
import { COST_KEYS, type CurrencyOptions, eventCost } from './cost.js';
import { type CostRows, costRows } from './cost-write.js';

type Stored = Pick<PostRecord, 'meta'>;

/** Limits of a stored cost in a file. */
const MAX_ROWS = 1000;
const MAX_TEXT_LENGTH = 2000;

/** The cost rows as JSON for a lossless import; undefined if the plain text reproduces the same prices (W12). */
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
  const render = (one: Stored) => JSON.stringify(eventCost(one, options, locale));
  if (rewritten ? render(event) === render({ meta: metaOf(rewritten) }) : text === costs[0]) return undefined;
  return JSON.stringify({ text, costs, symbol, position });
}

/** Parses the output of `storedCost`; undefined if it is invalid or the plain text was changed since. */
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
