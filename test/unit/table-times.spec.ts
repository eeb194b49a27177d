import { hiddenChange, type TableTime } from '../../src/database/table-times.query.js';

const table = (age: number | null, more: Partial<TableTime> = {}): TableTime => ({
  name: 'posts',
  engine: 'InnoDB',
  changedAt: age === null ? null : 1000 - age,
  recent: 0,
  now: 1000,
  server: '10.11.19-MariaDB',
  writes: '46967',
  ...more,
});

describe('a change that may bear the second of another', () => {
  it('is expected with each commit of the server for a while, then when the other is twice as old', () => {
    expect([0, 2, 15].map((age) => hiddenChange(table(age)))).toEqual(['46967', '46967', '46967']);
    expect([16, 31, 32, 63, 64].map((age) => hiddenChange(table(age)))).toEqual(['4', '4', '5', '5', '6']);
  });

  it('is expected when the other is twice as old where the server does not tell what it has written', () => {
    const ages = [0, 1, 2, 3, 4, 7, 8];
    expect(ages.map((age) => hiddenChange(table(age, { writes: null })))).toEqual([
      '0',
      '0',
      '1',
      '1',
      '2',
      '2',
      '3',
    ]);
  });

  it('is not expected where servers note the ends of transactions, or of a table that did not change', () => {
    expect([table(3, { server: '8.4.0' }), table(null)].map(hiddenChange)).toEqual(['', '']);
  });
});
