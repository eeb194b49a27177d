import {
  newRenderState,
  type RenderContext,
} from '../../src/lib/wordpress-text/formatting/render-context.js';
import { theContent, theExcerpt, theTitle } from '../../src/lib/wordpress-text/formatting/the-content.js';
import type { AttachmentsService, RenderedFor } from '../../src/wordpress/media/attachments.service.js';
import type { PostRecord } from '../../src/wordpress/posts/post-record.js';
import { isLong, LongTexts } from '../../src/wordpress/rendering/long-texts.service.js';
import { Renderer } from '../../src/wordpress/rendering/renderer.service.js';
import { TextPool } from '../../src/wordpress/rendering/text-pool.js';
import { compiledWorker } from '../support/compiled-worker.js';
import { WORST_TEXTS } from '../support/worst-texts.js';

const image = (id: number, parentId = 0) => ({
  id,
  title: `Image ${id}`,
  excerpt: `It's "${id}"`,
  content: '',
  slug: `image-${id}`,
  mimeType: 'image/jpeg',
  parentId,
  date: '2026-01-01 00:00:00',
  file: `2026/01/${id}.jpg`,
  guid: '',
  alt: '',
  metadata: new Map<string, string | number>([
    ['width', 800],
    ['height', 600],
    ['file', `2026/01/${id}.jpg`],
  ]),
});

function context(): RenderContext {
  const home = 'https://example.org';
  return {
    site: {
      home,
      siteUrl: home,
      uploadsUrl: `${home}/wp-content/uploads`,
      useSmilies: true,
      theme: 'classic',
      locale: 'en_US',
      permalinkStructure: '',
      imageBoxes: [],
    },
    attachments: new Map([1, 2, 3, 4].map((id) => [id, image(id, id === 4 ? 77 : 0)])),
    state: newRenderState(),
  };
}

let ids = 0;
const post = (content: string, excerpt = ''): PostRecord => ({
  id: ++ids,
  author: 1,
  date: '',
  dateGmt: '',
  modified: '',
  modifiedGmt: '',
  content,
  title: `Nr. "${ids}"`,
  excerpt,
  status: 'publish',
  name: '',
  type: 'tribe_events',
  password: '',
  parent: 0,
  menuOrder: 0,
  mimeType: '',
  guid: '',
  meta: new Map(),
});

const long = (text: string) => `${text}\n\n${'words '.repeat(2000)}`;

describe('the renderer', () => {
  const pool = new TextPool(compiledWorker('wordpress/rendering/text-worker'));
  let onThread: jest.SpiedFunction<TextPool['run']>;
  // The database is not what is tested here: all attachments are there at once.
  const attachments = { renderContext: async () => context() } as unknown as AttachmentsService;
  const renderer = () => new Renderer(attachments, new LongTexts(pool));
  const reader = {} as RenderedFor;
  /** As the functions render them in a row, each counting on from the one before. */
  const inRow = (posts: readonly PostRecord[]) => {
    const ctx = context();
    return posts.map(({ title, content, excerpt }) => ({
      title: theTitle(title, 'en_US'),
      description: theContent(content, ctx),
      excerpt: theExcerpt(excerpt, ctx),
    }));
  };
  const rendered = async (posts: readonly PostRecord[], by = renderer()) => {
    const { texts } = await by.render(posts, reader);
    return posts.map(({ id }) => texts.get(id));
  };

  beforeAll(() => {
    onThread = jest.spyOn(pool, 'run');
  });
  beforeEach(() => onThread.mockClear());

  it('continues counters through short and long texts in order', async () => {
    const posts = [
      post('[gallery ids="1,2"] [audio src="a.mp3"]', 'An excerpt'),
      post(
        long('[gallery] [gallery id="77"] [video src="a.mp4"] <!-- wp:search /-->'),
        long('"Long" [gallery]'),
      ),
      post('[gallery ids="3"]\n\n<!-- wp:search /-->\n\n[audio src="b.mp3"]'),
      post(long('[gallery ids="2"] <img src="x" class="wp-image-1" width="1" height="2" loading="eager" />')),
      post('a\n\n[gallery]\n\nb', 'Last'),
    ];
    expect(await rendered(posts)).toEqual(inRow(posts));
    expect(onThread.mock.calls.map(([name]) => name)).toContain('content');
    expect(onThread.mock.calls.map(([name]) => name)).toContain('excerpt');
  });

  it('caches what a thread rendered, unless counters or attachments differ', async () => {
    const by = renderer();
    const gallery = long('[gallery ids="1"]');
    const before = post('[gallery ids="2"]');
    const contents = () => onThread.mock.calls.filter(([name]) => name === 'content').length;
    const first = await rendered([post(gallery)], by);
    expect(contents()).toBe(1);
    expect((await rendered([post(gallery)], by))[0]?.description).toBe(first[0]?.description);
    expect(contents()).toBe(1);
    const later = [before, post(gallery)];
    expect(await rendered(later, by)).toEqual(inRow(later));
    expect(contents()).toBe(2);
  });

  it('renders a record once for several references', async () => {
    const twice = post('[gallery ids="1"]');
    const posts = [twice, twice, post('[gallery ids="2"]')];
    const [first, , last] = await rendered(posts);
    expect([first, last]).toEqual(inRow([twice, posts[2] as PostRecord]));
  });

  it('treats a short text as long when its galleries show many images', () => {
    expect(isLong('[gallery]'.repeat(20), 4)).toBe(false);
    expect(isLong('[gallery]'.repeat(20), 4000)).toBe(true);
  });

  it('renders the texts of structured data on request', async () => {
    const posts = [post('Some "words"', ''), post(long('Many "words"'), '')];
    const { texts } = await renderer().render(posts, reader, { jsonLd: true });
    const [short, many] = posts.map(({ id }) => texts.get(id)?.jsonLd);
    expect(short?.description).toBe('&lt;p&gt;Some &quot;words&quot;&lt;/p&gt;\\n');
    expect(many?.description).toContain('&lt;p&gt;Many &quot;words&quot; words');
    expect(onThread.mock.calls.map(([name]) => name)).toContain('jsonLdDescription');
    expect((await renderer().render(posts, reader)).texts.get(posts[0]?.id ?? 0)?.jsonLd).toBeUndefined();
  });

  it.each(Object.keys(WORST_TEXTS))('renders on a thread as on the main thread: %s', async (kind) => {
    const posts = [post(WORST_TEXTS[kind]?.(20_000) ?? '')];
    expect(await rendered(posts)).toEqual(inRow(posts));
    expect(onThread).toHaveBeenCalled();
  });
});
