import { CharacterClasses } from '../../src/wordpress/posts/search/character-classes.js';
import { ANYTHING, Signatures, signatureOf } from '../../src/wordpress/posts/search/signatures.js';
import { Dice } from '../support/odd-values.js';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789 .,-𝒶𝒷é';

/** Classes in which letter case makes no difference, nor do an accent and script letters. */
function makeClasses(): CharacterClasses {
  const classes = new CharacterClasses();
  for (const letter of [...LETTERS, ...LETTERS.toUpperCase(), '\u00ad'])
    classes.learn(letter.codePointAt(0) ?? 0, weightOf(letter));
  return classes;
}

const weightOf = (letter: string) =>
  letter === '\u00ad' ? '' : letter.normalize('NFKD').slice(0, 1).toLowerCase();

function hashesOf(text: string, classes = makeClasses()): number[] | undefined {
  const hashes: number[] = [];
  return classes.trigrams(text, (hash) => hashes.push(hash)) ? hashes : undefined;
}

const found = (signatures: Signatures, text: string) => [...signatures.holding(hashesOf(text) ?? [])].flat();

describe('the search filter', () => {
  it('knows texts as the same that the database takes for the same, character by character', () => {
    expect(hashesOf('Cafe')).toEqual(hashesOf('cAFÉ'));
    expect(hashesOf('abc')).toEqual(hashesOf('𝒶𝒷C'));
    expect(hashesOf('ca\u00adfe')).not.toEqual(hashesOf('cafe'));
    expect(hashesOf('ab')).toEqual([]);
    expect(new Set(hashesOf('abcde')).size).toBe(3);
  });

  it('is not sure of texts with characters that it does not know', () => {
    const classes = makeClasses();
    expect(hashesOf('abcжdef', classes)).toBeUndefined();
    const around: number[] = [];
    classes.trigrams('abcжdef', (hash) => around.push(hash));
    expect(around).toEqual([...(hashesOf('abc') ?? []), ...(hashesOf('def') ?? [])]);
    expect([...classes.unknownIn(['abж', '𝒸Ж'])]).toEqual([...'ж𝒸Ж'].map((letter) => letter.codePointAt(0)));
    expect(signatureOf(['abc', 'ж'], classes, 1)).toBe(ANYTHING);
    expect(() => classes.learn(1, null)).toThrow('no weights');
  });

  it('has no trigrams across two texts, and grows with what they hold', () => {
    const classes = makeClasses();
    const signatures = new Signatures();
    signatures.set(0, '', [{ id: 1, signature: signatureOf(['ab', 'cd'], classes, 1) }]);
    expect([found(signatures, 'abcd'), found(signatures, 'ab')]).toEqual([[], [1]]);
    const words = (length: number, bits: number) => signatureOf(['a'.repeat(length)], classes, bits).length;
    expect([words(0, 1), words(32, 1), words(1000, 1), words(1000, 0.5), words(30_000, 1)]).toEqual([
      1, 1, 32, 16, 1024,
    ]);
  });

  it('never leaves out a text that holds what is looked for, and most others', () => {
    const dice = new Dice(1);
    const classes = makeClasses();
    const letters = [...LETTERS];
    const text = (length: number) => Array.from({ length }, () => dice.pick(letters)).join('');
    const texts = Array.from({ length: 640 }, () => text(dice.roll(300)));
    const signatures = new Signatures();
    for (let chunk = 0; chunk < 10; chunk++)
      signatures.set(
        chunk,
        '',
        texts.slice(chunk * 64, chunk * 64 + 64).map((one, at) => ({
          id: chunk * 64 + at,
          signature: signatureOf([one], classes, 1),
        })),
      );
    let others = 0;
    for (let id = 0; id < texts.length; id++) {
      const characters = [...(texts[id] ?? '')];
      const from = dice.roll(characters.length);
      const ids = found(
        signatures,
        characters
          .slice(from, from + 6)
          .join('')
          .toUpperCase(),
      );
      expect(ids).toContain(id);
      if (characters.length - from >= 6) others += ids.length - 1;
    }
    expect(others / texts.length / texts.length).toBeLessThan(0.2);
  });

  it('says which chunks of ids have changed, and forgets those that are gone', () => {
    const signatures = new Signatures();
    for (const chunk of [1, 2, 3]) signatures.set(chunk, `${chunk}`, [{ id: chunk, signature: ANYTHING }]);
    signatures.set(3, '3', []);
    expect(signatures.size).toBe(2);
    const now = new Map([
      [2, '2'],
      [3, 'another'],
      [4, '4'],
    ]);
    expect(signatures.differing(now)).toEqual([3, 4]);
    expect([signatures.size, found(signatures, 'x')]).toEqual([1, [2]]);
  });
});
