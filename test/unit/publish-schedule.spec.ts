import { asMap, serialize, unserialize } from '../../src/lib/wordpress-text/php-serialize.js';
import { schedulePublication } from '../../src/wordpress/posts/post-history.js';

/** What the schedule is after the change. */
function changed(cron: string, postId: number, at?: number): string {
  const map = asMap(unserialize(cron));
  schedulePublication(map, postId, at);
  return serialize(map);
}

const VERSION = 's:7:"version";i:2;';
const DAILY =
  'a:1:{s:16:"wp_version_check";a:1:{s:32:"40cd750bba9870f18aada2478b24840a";a:3:{s:8:"schedule";s:10:"twicedaily";s:4:"args";a:0:{}s:8:"interval";i:43200;}}}';
/** Key and task of post 12. */
const TASK = 's:32:"25117f4b9fd9bb6384d0eb8ea708c8b9";a:2:{s:8:"schedule";b:0;s:4:"args";a:1:{i:0;i:12;}}';
const PUBLISH = `s:19:"publish_future_post";a:1:{${TASK}}`;
const EMPTY = `a:1:{${VERSION}}`;
const ALONE = `a:2:{i:2000;a:1:{${PUBLISH}}${VERSION}}`;
const CROWDED = `a:3:{i:1000;${DAILY}i:3000;${DAILY}${VERSION}}`;

describe('the WordPress cron option of scheduled posts', () => {
  it('adds a post', () => {
    expect(changed('a:0:{}', 12, 2000)).toBe(ALONE);
    expect(changed(EMPTY, 12, 2000)).toBe(ALONE);
  });

  it.each([
    [500, `a:4:{i:500;a:1:{${PUBLISH}}i:1000;${DAILY}i:3000;${DAILY}${VERSION}}`],
    [2000, `a:4:{i:1000;${DAILY}i:2000;a:1:{${PUBLISH}}i:3000;${DAILY}${VERSION}}`],
    [9000, `a:4:{i:1000;${DAILY}i:3000;${DAILY}i:9000;a:1:{${PUBLISH}}${VERSION}}`],
    [
      1000,
      `a:3:{i:1000;${DAILY.replace('a:1:{', 'a:2:{').slice(0, -1)}${PUBLISH}}i:3000;${DAILY}${VERSION}}`,
    ],
  ])('inserts the time %i in order, and leaves everything else unchanged', (at, wanted) => {
    expect(changed(CROWDED, 12, at)).toBe(wanted);
    expect(changed(wanted, 12)).toBe(CROWDED);
  });

  it('sorts the times also where the version is not the last', () => {
    const unusual = `a:3:{${VERSION}i:1000;${DAILY}i:3000;${DAILY}}`;
    for (const at of [500, 2000, 9000]) {
      const times = [...changed(unusual, 12, at).matchAll(/i:(\d+);a:1:\{s:/g)].map(([, time]) =>
        Number(time),
      );
      expect(times).toEqual([500, 1000, 2000, 3000, 9000].filter((time) => [at, 1000, 3000].includes(time)));
    }
  });

  it('keeps a post with its time, and moves one to another time', () => {
    expect(changed(ALONE, 12, 2000)).toBe(ALONE);
    expect(changed(ALONE, 12, 700)).toBe(ALONE.replace('2000', '700'));
  });

  it('keeps other posts of the same time', () => {
    const both = changed(ALONE, 7, 2000);
    expect(changed(both, 7)).toBe(ALONE);
    expect(changed(changed(both, 12), 7)).toBe(EMPTY);
  });

  it('removes a post from every time', () => {
    const twice = `a:3:{i:1000;a:1:{${PUBLISH}}i:2000;a:1:{${PUBLISH}}${VERSION}}`;
    expect(changed(twice, 12)).toBe(EMPTY);
    expect(changed(twice, 12, 2000)).toBe(ALONE);
  });

  it.each([
    'a:1:{i:1000;a:0:{}}',
    `a:2:{i:1000;s:1:"x";${VERSION}}`,
    `a:2:{s:4:"soon";${DAILY}${VERSION}}`,
    `a:2:{i:1000;${DAILY}s:7:"version";i:3;}`,
    `a:2:{i:2000;a:1:{s:19:"publish_future_post";s:1:"x";}${VERSION}}`,
    `a:2:{i:1000;a:0:{}${VERSION}}`,
  ])('leaves invalid options and entries unchanged, %#', (text) => {
    expect(changed(text, 12)).toBe(text);
    if (!text.startsWith('a:2:{i:1000;a:0')) expect(changed(text, 12, 2000)).toBe(text);
  });
});
