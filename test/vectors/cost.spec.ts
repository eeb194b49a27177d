import {
  type NumberFormat,
  numberFormatOf,
} from '../../src/lib/wordpress-text/formatting/data/number-format.js';
import { wpUnslash } from '../../src/lib/wordpress-text/formatting/esc-html.js';
import { tecSanitizeString } from '../../src/lib/wordpress-text/formatting/sanitize.js';
import {
  type CurrencyOptions,
  costRange,
  costSeparators,
  eventCost,
} from '../../src/resources/events/cost.js';
import { costRows, inferCurrency } from '../../src/resources/events/cost-write.js';
import type { MetaMap } from '../../src/wordpress/posts/post-record.js';
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

interface WriteRow {
  in: { cost?: unknown };
  out: { stored_meta: [string, string][] };
}

interface LocaleRows {
  formats: Record<string, NumberFormat>;
  rows: [locale: string, stored: string, text: string, values: (string | number)[]][];
}

function asCost(input: unknown): string | string[] {
  if (Array.isArray(input)) return input.map(String);
  if (typeof input === 'boolean') return input ? '1' : '';
  return String(input ?? '');
}

/** Groups the meta rows of a cost by key. */
function costMeta(meta: readonly [string, string][]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [key, value] of meta) {
    if (!/^_Event(?:Cost|Currency)/.test(key)) continue;
    found.set(key, [...(found.get(key) ?? []), value]);
  }
  return found;
}

function rowsOf(cost: unknown): [string, string][] {
  const { costs, symbol, position } = costRows(cost) ?? { costs: [], symbol: '', position: '' };
  const rows = costs.map((text): [string, string] => ['_EventCost', text]);
  if (symbol) rows.push(['_EventCurrencySymbol', symbol]);
  if (position) rows.push(['_EventCurrencyPosition', position]);
  return rows.map(([key, value]) => [key, wpUnslash(tecSanitizeString(value))]);
}

function metaOf(values: Record<string, string | string[] | undefined>): MetaMap {
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

  proveVectors('cost_parse: currency', parseRows, (row) => ({
    expected: [row.parse_currency_symbol, row.parse_currency_position],
    actual: Object.values(inferCurrency(asCost(row.in))),
  }));

  const { formats, rows } = loadVectors<LocaleRows>('cost-locale');
  proveVectors('cost-locale: formats', Object.entries(formats), ([locale, format]) => ({
    expected: format,
    actual: numberFormatOf(locale),
  }));
  proveVectors('cost-locale', rows, ([locale, stored, text, values]) => {
    const cost = eventCost({ meta: metaOf({ _EventCost: stored }) }, { symbolAfter: false }, locale);
    return { expected: [text, values], actual: [cost.text, cost.values] };
  });

  // The meta rows that the recorded writes stored; W12 changes the three named costs.
  const writes = loadVectors<WriteRow[]>('rest_write').filter((row) => row.in.cost !== undefined);
  proveVectors(
    'rest_write: cost',
    writes,
    (row) => ({
      expected: Object.fromEntries(costMeta(row.out.stored_meta)),
      actual: Object.fromEntries(costMeta(rowsOf(row.in.cost))),
    }),
    Object.fromEntries(
      writes.flatMap(({ in: { cost } }, index) =>
        ['0', '$5, $10', '1,5'].includes(String(cost)) ? [[index, 'W12']] : [],
      ),
    ),
  );
});

it('eventCost treats the currency "0" as missing', () => {
  const meta = metaOf({ _EventCost: '5', _EventCurrencySymbol: '0', _EventCurrencyPosition: '0' });
  expect(eventCost({ meta }, { symbol: '€', symbolAfter: true }).text).toBe('5€');
});

describe('written costs (W12)', () => {
  it.each<
    [sent: unknown, costs: string[], symbol: string, position: string, rendered: string, values: string[]]
  >([
    ['0', ['0'], '', '', 'Free', ['0']],
    [0, ['0'], '', '', 'Free', ['0']],
    ['0,00', ['0.00'], '', '', 'Free', ['0.00']],
    ['', [], '', '', '', []],
    [[], [], '', '', '', []],
    ['$1,234.56', ['1234.56'], '$', 'prefix', '$1234.56', ['1234.56']],
    ['1.234,56', ['1234.56'], '', '', '$1234.56', ['1234.56']],
    ['1.234,56 €', ['1234.56'], '€', 'postfix', '1234.56€', ['1234.56']],
    ['EUR 1.234.567,89', ['1234567.89'], 'EUR', 'prefix', 'EUR1234567.89', ['1234567.89']],
    ['1,000', ['1000'], '', '', '$1000', ['1000']],
    ['$1,000,000', ['1000000'], '$', 'prefix', '$1000000', ['1000000']],
    ['₹1,23,456', ['123456'], '₹', 'prefix', '₹123456', ['123456']],
    ['1\u202f234,50 €', ['1234.50'], '€', 'postfix', '1234.50€', ['1234.50']],
    ['1 234,50 €', ['1234.50'], '€', 'postfix', '1234.50€', ['1234.50']],
    ["CHF 1'234.50", ['1234.50'], 'CHF', 'prefix', 'CHF1234.50', ['1234.50']],
    ['12,50', ['12.50'], '', '', '$12.50', ['12.50']],
    [',5', ['0.5'], '', '', '$0.5', ['0.5']],
    ['100,- kr', ['100'], 'kr', 'postfix', '100kr', ['100']],
    ['12,50 - 30', ['12.50 - 30'], '', '', '$12.50 – $30', ['12.50', '30']],
    ['€ 5,00 - € 10,00', ['5.00 - 10.00'], '€', 'prefix', '€5.00 – €10.00', ['5.00', '10.00']],
    ['1.000,50 – 2.000 €', ['1000.50 – 2000'], '€', 'postfix', '1000.50€ – 2000€', ['1000.50', '2000']],
    ['10, 20', ['10 - 20'], '', '', '$10 – $20', ['10', '20']],
    ['$5, $10, $15', ['5 - 10 - 15'], '$', 'prefix', '$5 – $15', ['5', '10', '15']],
    ['5€,10€', ['5 - 10'], '€', 'postfix', '5€ – 10€', ['5', '10']],
    ['£5, 10', ['5 - 10'], '£', 'prefix', '£5 – £10', ['5', '10']],
    ['$10 - $20, $30', ['10 - 20 - 30'], '$', 'prefix', '$10 – $30', ['10', '20', '30']],
    ['100,- kr, 200,- kr', ['100 - 200'], 'kr', 'postfix', '100kr – 200kr', ['100', '200']],
    ['5,50, 10,50', ['5.50 - 10.50'], '', '', '$5.50 – $10.50', ['5.50', '10.50']],
    ['5,10,15', ['5 - 10 - 15'], '', '', '$5 – $15', ['5', '10', '15']],
    ['5, 10, 15', ['5 - 10 - 15'], '', '', '$5 – $15', ['5', '10', '15']],
    [['5, 10', '20'], ['5 - 10', '20'], '', '', '$5 – $20', ['5', '10', '20']],
    [['1,5', '2,5'], ['1.5', '2.5'], '', '', '$1.5 – $2.5', ['1.5', '2.5']],
    ['Donation of $1,234', ['Donation of $1234'], 'Donation of $', 'prefix', 'Donation of $1234', ['1234']],
    // Costs without separators do not change.
    ['1.000', ['1.000'], '', '', '$1.000', ['1.000']],
    ['1.2.3', ['1.2.3'], '', '', '$.3 – $1.2', ['.3', '1.2']],
    ['Free, 10', ['Free, 10'], '', '', '$10', ['10']],
    ['VIP: $50, GA: $25', ['VIP: $50, GA: $25'], '', '', '$25', ['25', '50.']],
    [['$10', '$20'], ['$10', '$20'], '$', 'prefix', '$10 – $20', ['10', '20']],
    [['', '10'], ['10'], '', '', '$10', ['10']],
    ['Donation of $5', ['Donation of $5'], 'Donation of $', 'prefix', 'Donation of $5', ['5']],
    ['10 - 10.00', ['10 - 10.00'], '', '', '$10.00', ['10.00']],
    [12.5, ['12.5'], '', '', '$12.5', ['12.5']],
  ])('are stored and rendered from %j', (sent, costs, symbol, position, rendered, values) => {
    const rows = costRows(sent);
    expect(rows).toEqual({ costs, symbol, position });
    const meta = metaOf({
      _EventCost: costs,
      _EventCurrencySymbol: symbol || undefined,
      _EventCurrencyPosition: position || undefined,
    });
    expect(eventCost({ meta }, { symbolAfter: false })).toMatchObject({ text: rendered, values });
  });

  it.each<[locale: string, sent: unknown, costs: string[], symbol?: string]>([
    ['de_DE', '1.000', ['1000']],
    ['de_DE', '1.234', ['1234']],
    ['de_DE', '2.000 €', ['2000'], '€'],
    ['de_DE', '10 - 2.000', ['10 - 2000']],
    ['de_DE', '1.50, 2.000', ['1.50 - 2000']],
    ['de_DE', ['1.000', '8,50'], ['1000', '8.50']],
    ['de_DE', '12.345,67', ['12345.67']],
    ['de_DE', '12,345.67', ['12345.67']],
    ['de_DE', '1,000.50 - 2,000', ['1000.50 - 2000']],
    ['de_DE', '1.000.000', ['1000000']],
    ['de_DE', '1,000,000', ['1000000']],
    // Decimals are padded, so that they are not read as thousands later.
    ['de_DE', '1,000', ['1.00']],
    ['de_DE', '1,234', ['1.2340']],
    ['de_DE', '0,500', ['0.50']],
    ['de_DE', '1.234,567', ['1234.5670']],
    ['de_DE', 1.125, ['1.1250']],
    ['de_DE', [1.125, 2.5], ['1.1250', '2.5']],
    ['pt_BR', '1.000', ['1000']],
    ['nl_NL', '2.000', ['2000']],
    ['nl_NL', '2,000', ['2000']],
    ['fi', '2,000', ['2.000']],
    ['fi', '2.000', ['2.000']],
    ['fi', '2 000,50 €', ['2000.50'], '€'],
    ['fa_IR', '1,000', ['1000']],
    ['fa_IR', '1.000', ['1.000']],
    ['en_CA', '1,000', ['1000']],
    ['en_CA', '1.000', ['1.000']],
    ['en_CA', '1,00 - 2,500', ['1.00 - 2500']],
    ['en_CA', 1.125, ['1.125']],
  ])('are normalized in %s from %j', (locale, sent, costs, symbol = '') => {
    expect(costRows(sent, locale)).toMatchObject({ costs, symbol });
    // A stored cost does not change when it is sent again.
    expect(costRows(Array.isArray(sent) ? costs : costs[0], locale)).toMatchObject({ costs });
  });

  it('are undefined for values that are no scalars', () => {
    expect(costRows({ amount: 5 })).toBeUndefined();
    expect(costRows(['5', ['6']])).toBeUndefined();
  });

  it('are parsed in linear time', () => {
    const hostile = ['1', ',', '.', '1,', '1 000 ', '-', ' ', '$', "1'000", '1,1-'].map((part) =>
      part.repeat(100_000 / part.length),
    );
    hostile.push(
      `1${' '.repeat(100_000)}1`,
      `1,${' '.repeat(100_000)}1`,
      `1.${'0'.repeat(50_000)}${' 1'.repeat(25_000)}`,
    );
    const start = performance.now();
    for (const text of hostile) {
      eventCost({ meta: metaOf({ _EventCost: costRows(text)?.costs }) }, { symbolAfter: false });
    }
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
