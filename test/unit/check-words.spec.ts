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

  it('finds phrases in any case, and not inside other words', () => {
    expect(found('Somebody breathes.\nbackground, underground')).toEqual(['1 Somebody', '1 breathes']);
  });

  it('names the replacement of a word', () => {
    expect(bannedWordsIn('SharedWork')).toMatchObject([{ term: 'SingleFlight' }]);
  });
});
