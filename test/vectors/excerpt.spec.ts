import { tribePostExcerpt, wpTrimWords } from '../../src/lib/wordpress-text/formatting/tribe-post-excerpt.js';
import { jsonLdExcerpt } from '../../src/wordpress/posts/post-record.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

interface ExcerptRow {
  in: { post_content: string; post_excerpt: string };
  out: string;
}

describe('excerpts', () => {
  proveVectors(
    'wp_trim_words',
    loadVectors<Array<{ in: string; args: [number?, string?]; out: string }>>('wp_trim_words'),
    (row) => ({
      expected: row.out,
      actual: wpTrimWords(row.in, row.args[0] ?? 55, row.args[1] ?? '&hellip;', 'en_US'),
    }),
  );
  proveVectors(
    'tribe_post_excerpt',
    loadVectors<ExcerptRow[]>('tribe_post_excerpt'),
    ({ in: post, out }) => ({
      expected: out,
      actual: tribePostExcerpt(
        jsonLdExcerpt({ excerpt: post.post_excerpt, content: post.post_content }),
        'en_US',
      ),
    }),
  );

  it('count characters instead of words in zh_CN', () => {
    expect(wpTrimWords('中文 标题', 3, '…', 'zh_CN')).toBe('中文 …');
    expect(wpTrimWords('中文 标题', 5, '…', 'zh_CN')).toBe('中文 标题');
  });
});
