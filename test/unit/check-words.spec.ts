import { bannedWordsIn } from '../../scripts/check-words.mjs';

interface Found {
  line: number;
  text: string;
}

const found = (markdown: string) => bannedWordsIn(markdown).map(({ line, text }: Found) => `${line} ${text}`);

describe('check-words', () => {
  it('finds identifiers as whole words, case-sensitively', () => {
    expect(found('a\nnew KeptPosts();\nNotKeptPosts keptposts')).toEqual(['2 KeptPosts']);
  });

  it('finds phrases in any case, and no ordinary English', () => {
    expect(found('Gently for anybody.\nIt is shown, asked, kept and meant; background')).toEqual([
      '1 for anybody',
      '1 Gently',
    ]);
  });

  it('finds words in camelCase', () => {
    expect(found('isKept, KeptFoo, toRefusal, Keptness')).toEqual(['1 isKept', '1 toRefusal']);
  });

  it('finds declared names of code, not members of formats', () => {
    const code =
      '// shown\nconst { asked } = { asked: 1 };\nfunction told(made: Wish) {\n  return this.kept;\n}';
    const names = bannedWordsIn(code, 'a.ts').map(({ line, text }: Found) => `${line} ${text}`);
    expect(names).toEqual(['2 asked', '3 told', '3 made']);
  });

  it('names the replacement of a word', () => {
    expect(bannedWordsIn('SharedWork')).toMatchObject([{ term: 'SingleFlight' }]);
  });
});
