import { readStoredCost, storedCost } from '../../src/resources/events/stored-cost.js';

describe('the cost of an event in a raw export', () => {
  const options = { symbolAfter: false };
  const of = (cost: string, text: string) =>
    storedCost({ meta: new Map([['_EventCost', [cost]]]) }, text, options, 'en_US');

  it.each([
    ['1.234,56', '.56, 1.234'],
    ['1,234.56', '.56, 1234'],
    ['1,5 - 2,5', '1.5, 2.5'],
    ['5, 10, 15', '5., 10., 15'],
  ])('includes the rows of %s, whose text would be parsed otherwise', (cost, text) => {
    const stored = of(cost, text);
    expect(readStoredCost(stored, text)).toEqual({ costs: [cost], symbol: '', position: '' });
    expect(readStoredCost(stored, '12')).toBeUndefined();
  });

  it.each(['12', 'Free', '10 - 20'])('omits the rows of %s, whose text is sufficient', (cost) => {
    expect(of(cost, cost)).toBeUndefined();
  });

  it.each([
    '',
    '{',
    '[]',
    'null',
    '{"costs":"12"}',
    '{"costs":[1],"symbol":""}',
    '{"costs":["1"],"symbol":2}',
  ])('has no rows in %j', (stored) => {
    expect(readStoredCost(stored, undefined)).toBeUndefined();
  });
});
