import { bannedWordsIn } from '../../scripts/check-words.mjs';

interface Found {
  line: number;
  text: string;
}

const found = (markdown: string) => bannedWordsIn(markdown).map(({ line, text }: Found) => `${line} ${text}`);

describe('the check of words', () => {
  it('finds names of code where they stand whole, in their case', () => {
    expect(found('a\nnew KeptPosts();\nNotKeptPosts keptposts')).toEqual(['2 KeptPosts']);
  });

  it('finds turns of phrase in any case, and not inside of other words', () => {
    expect(found('Somebody breathes.\nbackground, underground')).toEqual(['1 Somebody', '1 breathes']);
  });

  it('names the term that takes the place of a word', () => {
    expect(bannedWordsIn('SharedWork')).toMatchObject([{ term: 'SingleFlight' }]);
  });
});
