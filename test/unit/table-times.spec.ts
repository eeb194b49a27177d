import {
  detectUntimedChange,
  type TableTime,
  type UntimedChange,
} from '../../src/database/table-versions.query.js';

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

describe('a change in the same second as another one', () => {
  it('is expected with each commit of the server, however long ago it was seen', () => {
    const marks = (ages: number[]) => {
      let before: UntimedChange | undefined;
      return ages.map((age) => {
        // Something is committed all the time.
        before = detectUntimedChange(
          table(age, { now: 1000 + age, changedAt: 1000, writes: `${age}` }),
          before,
        );
        return before.mark;
      });
    };
    const ages = [0, 2, 15, 16, 17, 500, 501];
    expect(marks(ages)).toEqual(ages.map(String));
  });

  it('is expected with the commits of sixteen seconds only where open transactions are visible', () => {
    let before: UntimedChange | undefined;
    const marks = [0, 2, 15, 16, 17, 31, 32].map((age) => {
      const more = { open: '', now: 1000 + age, changedAt: 1000, writes: `${age}` };
      before = detectUntimedChange(table(age, more), before);
      return before.mark;
    });
    expect(marks).toEqual(['0', '0', '0', '16', '16', '16', '32']);
  });

  it('is expected each time its age doubles where the server does not report writes', () => {
    const ages = [0, 1, 2, 3, 4, 7, 8];
    expect(ages.map((age) => detectUntimedChange(table(age, { writes: null })).mark)).toEqual([
      '0',
      '0',
      '1',
      '1',
      '2',
      '2',
      '3',
    ]);
  });

  it('is not expected where servers use the end of transactions, or for an unchanged table', () => {
    expect([table(3, { server: '8.4.0' }), table(null)].map((row) => detectUntimedChange(row).mark)).toEqual([
      '',
      '',
    ]);
  });
});
