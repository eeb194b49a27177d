import { type CurrencyOptions, costRange, costSeparators, eventCost } from '../../src/events/cost.js';
import type { PostMetaMap } from '../../src/wordpress/posts/post-record.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

interface CostRow {
  in: { _EventCost: string | string[]; _EventCurrencySymbol?: string; _EventCurrencyPosition?: string };
  args: {
    options: 'defaults' | { defaultCurrencySymbol?: string; reverseCurrencyPosition?: boolean | string };
  };
  out: string;
  cost_without_symbol: string;
  cost_details_values: string[];
}

interface ParseRow {
  in: unknown;
  parse_currency_symbol: string | false;
  parse_currency_position: string | false;
  parse_cost_range?: [string | number, string][];
  parse_separators?: [string, string] | null;
}

function metaOf(values: Record<string, string | string[] | undefined>): PostMetaMap {
  return new Map(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, [value].flat()]])),
  );
}

function currencyOf(options: CostRow['args']['options']): CurrencyOptions {
  if (options === 'defaults') return { symbolAfter: false };
  return { symbol: options.defaultCurrencySymbol, symbolAfter: Boolean(options.reverseCurrencyPosition) };
}

describe('cost', () => {
  proveVectors('cost', loadVectors<CostRow[]>('cost'), (row) => ({
    expected: { text: row.out, price: row.cost_without_symbol, values: row.cost_details_values },
    actual: eventCost({ meta: metaOf(row.in) }, currencyOf(row.args.options)),
  }));

  const parseRows = loadVectors<ParseRow[]>('cost_parse');
  const ranges = parseRows.filter((row) => row.parse_cost_range);
  proveVectors('cost_parse: range', ranges, (row) => ({
    expected: row.parse_cost_range?.map(([key, entry]) => [String(key), entry]),
    actual: [...costRange([row.in as string | string[]].flat())],
  }));

  proveVectors(
    'cost_parse: separators',
    parseRows.filter((row) => row.parse_separators),
    (row) => ({ expected: row.parse_separators, actual: costSeparators(row.in as string) }),
  );
});
