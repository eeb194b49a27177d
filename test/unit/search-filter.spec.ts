import { EventLoopYielder } from '../../src/common/event-loop.js';
import { searchTerms } from '../../src/wordpress/posts/search-terms.js';
import { CharacterClasses, SEPARATORS } from '../../src/wordpress/search-index/character-classes.js';
import { holdersOf, packWords } from '../../src/wordpress/search-index/chunk-words.js';
import { Dictionary, eachWord } from '../../src/wordpress/search-index/dictionary.js';
import { PostIdSet } from '../../src/wordpress/search-index/post-id-set.js';
import { TextIndex } from '../../src/wordpress/search-index/text-index.js';
import { SeededRandom } from '../support/unusual-values.js';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789 .,-𝒶𝒷é';

/** Classes in which letter case makes no difference, nor do an accent and script letters, but that `LIKE` tells one script letter from others. */
function makeClasses(): CharacterClasses {
  const classes = new CharacterClasses();
  const learn = (letter: string) => classes.learn(letter.codePointAt(0) ?? 0, weightOf(letter));
  for (const letter of SEPARATORS) learn(letter);
  classes.separateWords();
  for (const letter of [...LETTERS, ...LETTERS.toUpperCase(), '𝓆', 'q', '\u00ad']) learn(letter);
  classes.mix('𝓆'.codePointAt(0) ?? 0);
  return classes;
}

const weightOf = (letter: string) =>
  letter === '\u00ad' ? '' : letter.normalize('NFKD').slice(0, 1).toLowerCase();
const weightsOf = (text: string) => [...text].map(weightOf).join('');
const spelled = (text: string, classes = makeClasses()) => [...classes.spell(text)];

async function indexOf(texts: readonly (string[] | null)[], closed: readonly number[] = []) {
  const index = new TextIndex(makeClasses());
  for (let chunk = 0; chunk * 32 < texts.length; chunk++) {
    const posts = texts.slice(chunk * 32, chunk * 32 + 32).map((one, at) => {
      const id = chunk * 32 + at;
      return { id, texts: one, isOpen: !closed.includes(id) };
    });
    await index.set(chunk, `${chunk}`, posts, new EventLoopYielder());
  }
  return async (search: string) => {
    const found = await index.find(searchTerms(search), new EventLoopYielder());
    return found && { definite: [...found.definite.ids()], candidates: [...found.candidates.ids()] };
  };
}

describe('the search index', () => {
  it('equates the characters that the database equates', () => {
    expect(spelled('Cafe')).toEqual(spelled('cAFÉ'));
    expect(spelled('abc')).toEqual(spelled('𝒶𝒷C'));
    expect(spelled('ca\u00adfe')).not.toEqual(spelled('cafe'));
    expect(spelled('abжd')[2]).toBe(0);
    const classes = makeClasses();
    expect([...classes.unknownIn(['abж', '𝒸Ж'])]).toEqual([...'ж𝒸Ж'].map((letter) => letter.codePointAt(0)));
    expect(() => classes.learn(1, null)).toThrow('no weights');
  });

  it('splits words that are too long into parts, one of which contains any shorter piece', () => {
    const words = (text: string) => {
      const found: string[] = [];
      const units = Uint16Array.from([...text], (letter) => letter.charCodeAt(0));
      eachWord(
        units,
        (unit) => unit === 32,
        (from, to) => found.push(text.slice(from, to)),
      );
      return found;
    };
    expect(words(' a  bc d')).toEqual(['a', 'bc', 'd']);
    for (const length of [1, 63, 64, 65, 95, 96, 97, 200]) {
      const text = Array.from({ length }, (_, at) => String.fromCharCode(100 + at)).join('');
      const parts = words(`x ${text} y`);
      expect([parts[0], parts.at(-1), Math.max(...parts.map((part) => part.length)) <= 64]).toEqual([
        'x',
        'y',
        true,
      ]);
      for (let from = 0; from < length; from++)
        expect(parts.some((part) => part.includes(text.slice(from, from + 32)))).toBe(true);
    }
  });

  it('numbers words, and finds those that contain a piece', () => {
    const table = new Dictionary();
    const dice = new SeededRandom(5);
    const words = [
      ...new Set(Array.from({ length: 9000 }, () => `${'ab'.repeat(dice.roll(3))}${dice.roll(7000)}`)),
    ];
    const units = (word: string) => Uint16Array.from([...word], (letter) => letter.charCodeAt(0));
    for (const round of [1, 2]) {
      const numbers = words.map((word) => table.numberOf(units(`${round}${word}-`), 1, word.length + 1));
      expect(numbers).toEqual(words.map((_, at) => at));
    }
    for (const piece of ['7', 'ab12', 'ba', '6999', 'x']) {
      const flags = new Uint32Array(table.size);
      for (let from = 0; from < table.size; from += 1000)
        table.mark(piece, 4, flags, from, Math.min(from + 1000, table.size));
      expect([...flags]).toEqual(words.map((word) => (word.includes(piece) ? 4 : 0)));
    }
  });

  it('adds no word above its limit, and keeps those that it has', () => {
    const table = new Dictionary(65 * 1000);
    const word = new Uint16Array(64).fill(7);
    const numberOf = (at: number) => {
      word[0] = 1 + at;
      return table.numberOf(word, 0, 64);
    };
    let known = 0;
    while (numberOf(known) !== undefined) known += 1;
    expect([known, table.size]).toEqual([1000, 1000]);
    expect([numberOf(known + 1), numberOf(0), numberOf(known - 1)]).toEqual([undefined, 0, known - 1]);
  });

  it('packs the posts of words', () => {
    const dice = new SeededRandom(6);
    const holders = new Map<number, number>([
      [0, 1],
      [1, -1],
      [2 ** 20 - 1, 1 << 31],
      [128, (1 << 31) | 1],
    ]);
    for (let at = 0; at < 500; at++)
      holders.set(dice.roll(2 ** 20), dice.roll(3) === 0 ? dice.roll(2 ** 31) | 1 : 1 << dice.roll(32));
    const packed = packWords(holders);
    const flags = new Uint32Array(2 ** 20);
    for (const word of [...holders.keys(), 5, 127]) {
      flags.fill(0)[word] = 0b101;
      const found = new Int32Array(3).fill(7);
      holdersOf(packed, flags, found);
      expect([...found]).toEqual([holders.get(word) ?? 0, 0, holders.get(word) ?? 0]);
    }
  });

  it('stores sets of posts with any ids', () => {
    const ids = [0, 31, 32, 32_767, 32_768, 2 ** 31, 2 ** 32 + 31, 2 ** 50 + 7];
    const set = new PostIdSet();
    for (const id of ids) set.add(id);
    expect([[...set.ids()], set.size]).toEqual([ids, ids.length]);
    expect(ids.flatMap((id) => [set.has(id), set.has(id + 2)])).toEqual(ids.flatMap(() => [true, false]));
  });

  it('finds texts with the wanted and without the excluded words, and says where it is not definite', async () => {
    const find = await indexOf(
      [['Jazz', 'bread, old', 'old-maps'], ['jazz', '', 'qu'], null, ['jazz maps']],
      [3],
    );
    expect(await find('jAZZ')).toEqual({ definite: [0, 1], candidates: [2, 3] });
    // What is closed may be found all the same: its texts do not count for everybody.
    expect(await find('jazz -maps')).toEqual({ definite: [1], candidates: [2, 3] });
    expect(await find('-old')).toEqual({ definite: [1], candidates: [2, 3] });
    // Neither over two texts nor over a separator.
    expect(await find('"bread old"')).toEqual({ definite: [], candidates: [0, 2] });
    expect(await find('zzb')).toEqual({ definite: [], candidates: [2] });
    // A character that no text holds, and one that is not the same as all others of its class.
    expect(await find('ж')).toBeUndefined();
    expect(await find('jazzж')).toEqual({ definite: [], candidates: [0, 1, 2, 3] });
    expect(await find('jazz qu')).toEqual({ definite: [], candidates: [1, 2] });
    expect(await find(`"${'jazz '.repeat(300)}"`)).toEqual({ definite: [], candidates: [0, 1, 2, 3] });
    expect(await find(`"${'j a z '.repeat(12)}bread"`)).toEqual({ definite: [], candidates: [0, 2] });
    expect(await find('\\')).toBeUndefined();
    expect(await find('-a=b')).toBeUndefined();
  });

  it('finds the same as a scan of all texts', async () => {
    const dice = new SeededRandom(1);
    const letters = [...LETTERS, ...'     '];
    const text = (length: number) => Array.from({ length }, () => dice.pick(letters)).join('');
    const texts = Array.from({ length: 320 }, () => [text(dice.roll(30)), text(dice.roll(300))]);
    const find = await indexOf(texts);
    const weights = texts.map((own) => own.map(weightsOf));
    let [sure, wrong] = [0, [] as string[]];
    for (const [one = ''] of texts) {
      const [term = ''] = one.slice(dice.roll(one.length)).split(/[ ,]/);
      const wanted = term.slice(0, 1 + dice.roll(5)).toUpperCase();
      const search = `${wanted} -${dice.pick(letters)}${dice.pick(letters)}`;
      const terms = searchTerms(search);
      const holds = (own: readonly string[]) => (part: string) =>
        own.some((content) => content.includes(weightsOf(part)));
      const there = weights.flatMap((own, id) =>
        terms.wanted.every(holds(own)) && !terms.unwanted.some(holds(own)) ? [id] : [],
      );
      const found = await find(search);
      if (!found) continue;
      if (found.candidates.length === 0) sure += 1;
      const named = [...found.definite, ...found.candidates];
      if (!found.definite.every((id) => there.includes(id)) || !there.every((id) => named.includes(id)))
        wrong.push(search);
    }
    expect([wrong, sure > 150]).toEqual([[], true]);
  });

  it('reports the chunks of ids that have changed, and removes deleted ones', async () => {
    const index = new TextIndex(makeClasses());
    const post = (id: number) => ({ id, texts: ['x'], isOpen: true });
    for (const chunk of [1, 2, 3])
      await index.set(chunk, `${chunk}`, [post(chunk * 32)], new EventLoopYielder());
    await index.set(3, '3', [], new EventLoopYielder());
    expect(index.size).toBe(2);
    const now = new Map([
      [2, '2'],
      [3, 'another'],
      [4, '4'],
    ]);
    expect(index.differing(now)).toEqual([3, 4]);
    const found = await index.find({ wanted: ['x'], unwanted: [] }, new EventLoopYielder());
    expect([index.size, [...(found?.definite.ids() ?? [])]]).toEqual([1, [64]]);
  });
});
