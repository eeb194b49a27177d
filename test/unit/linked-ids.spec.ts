import { firstLink, linkedIds } from '../../src/wordpress/posts/post-record.js';

const KEY = '_EventVenueID';
const eventWith = (...rows: string[]) => ({ meta: new Map([[KEY, rows]]) });

describe('linked ids', () => {
  it('keep their order and duplicates, and omit invalid ids', () => {
    expect(linkedIds(eventWith('9', 'a:2:{i:0;i:8;i:1;s:1:"7";}', '', '0', '-1', 'x', '9'), KEY)).toEqual([
      9, 8, 7, 9,
    ]);
    expect(linkedIds({ meta: new Map() }, KEY)).toEqual([]);
  });
});

describe('the first link', () => {
  const visible = [{ id: 8 }, { id: 9 }];

  it.each<[rows: string[], id: number | false | undefined]>([
    [['9', '8'], 9],
    [['9x'], 9],
    [[' 9'], 9],
    [['a:1:{i:0;i:8;}'], 8],
    // What names nobody who may be shown.
    [['7', '8'], false],
    [['x'], false],
    // What PHP holds for no more than 0.
    [['', '8'], undefined],
    [['0', '8'], undefined],
    [['-1'], undefined],
    [[], undefined],
  ])('is the first valid id of %j', (rows, id) => {
    expect(firstLink(eventWith(...rows), KEY, visible)).toEqual(typeof id === 'number' ? { id } : id);
  });
});
