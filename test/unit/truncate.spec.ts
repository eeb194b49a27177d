import { cut } from '../../src/lib/safe-text.js';
import { truncate } from '../../src/lib/truncate.js';
import { cutText } from '../../src/pages/calendar/event-texts.js';
import { truncateHtml } from '../../src/resources/events/truncate-html.js';

const TEXTS = [
  '',
  'a',
  '😀',
  'a😀',
  '😀a😀',
  '👩‍👩‍👧😀😀',
  'a'.repeat(9),
  'ä😀 ö😀 b',
  '\ud83d',
  '😀'.repeat(9),
];

describe('a truncated text', () => {
  it.each<[string, (text: string, most: number) => string]>([
    ['truncate', truncate],
    ['the beginning of HTML', truncateHtml],
    ['a text of the log', cut],
    ['a text of a page', cutText],
  ])('never ends in half a surrogate pair: %s', (_, cutting) => {
    for (const text of TEXTS.filter((one) => one !== '\ud83d'))
      for (let most = 0; most < 20; most++) {
        const short = cutting(text, most);
        expect([text, most, Buffer.from(short).toString()]).toEqual([text, most, short]);
        expect(short.length).toBeLessThanOrEqual(Math.max(most, 0) + 1);
      }
  });

  it('stays unchanged where it is short enough', () => {
    for (const text of TEXTS) expect(truncate(text, 30)).toBe(text);
    expect(truncate('😀b', 2)).toBe('😀');
    expect(truncate('😀b', 1)).toBe('');
    expect(truncate('a\ud83d b', 2)).toBe('a\ud83d');
  });
});
