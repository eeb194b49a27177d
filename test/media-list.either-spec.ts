import sql from 'sql-template-tag';
import { Hooks } from '../src/common/hooks/hooks.js';
import { queryHook } from '../src/wordpress/posts/post-visibility.js';
import { CALLERS, type Caller, userId } from './support/calendar-client.js';
import { type Ask, askOf, type ProtocolResponse } from './support/protocol-client.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const UPLOADERS: readonly Caller[] = ['author', 'editor', 'admin'];

interface File {
  title?: string;
  file?: string;
  mime?: string;
  parent?: number;
  status?: string;
  author?: number;
  password?: string;
  date?: string;
}

const idsOf = ({ body }: ProtocolResponse) => (body as unknown as { id: number }[]).map(({ id }) => id);
const statusAndCode = ({ status, body }: ProtocolResponse) => [status, body['code']];

describeEither('GET /wp/v2/media', (database) => {
  let fixture: WriteFixture;
  let ask: Ask;
  let nextId = 620_000;

  beforeAll(async () => {
    fixture = await openWriteFixture(database);
    const core = askOf(fixture.app.url);
    ask = (query, request) => core(`/wp/v2/media${query}`, request);
  });
  afterAll(() => fixture?.close());

  async function attach(more: File = {}): Promise<number> {
    const { title = 'A file', file, mime = 'image/png', parent = 0, status = 'inherit' } = more;
    const { author = 1, password = '', date = '2091-01-01 10:00:00' } = more;
    const id = ++nextId;
    await fixture.app.dataSource.query(
      `INSERT INTO wp_posts (ID, post_author, post_date, post_date_gmt, post_modified, post_modified_gmt, post_content,
       post_title, post_excerpt, to_ping, pinged, post_content_filtered, post_status, post_name, post_parent, post_type,
       post_mime_type, post_password, guid) VALUES (${id}, ${author}, '${date}', '${date}', '${date}', '${date}', '',
       ?, '', '', '', '', '${status}', 'f-${id}', ${parent}, 'attachment', '${mime}', '${password}', 'http://x.example/${id}')`,
      [title],
    );
    const path = file ?? `2091/01/f-${id}.png`;
    await fixture.app.dataSource.query(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_wp_attached_file', ?)`,
      [path],
    );
    // Makes the server detect the foreign write.
    await fixture.ask(`UPDATE wp_posts SET post_title = post_title WHERE ID = ${id}`);
    return id;
  }

  const search = (text: string, more = '') => `?search=${encodeURIComponent(text)}${more}`;

  it('is public, and context=edit requires upload_files', async () => {
    for (const as of CALLERS) {
      const response = await ask('?per_page=2', { as });
      expect([as, response.status, idsOf(response).length]).toEqual([as, 200, 2]);
      const edited = await ask('?per_page=2&context=edit', { as });
      if (UPLOADERS.includes(as)) {
        expect([as, edited.status]).toEqual([as, 200]);
        continue;
      }
      expect([as, ...statusAndCode(edited)]).toEqual([
        as,
        as === 'anonymous' ? 401 : 403,
        'rest_forbidden_context',
      ]);
      expect(edited.headers).not.toHaveProperty('x-wp-total');
      expect(edited.headers).not.toHaveProperty('etag');
    }
    expect((await ask('', { method: 'OPTIONS' })).headers['allow']).toBe('GET');
    for (const method of ['POST', 'DELETE'])
      expect(statusAndCode(await ask('', { method, as: 'admin' }))).toEqual([404, 'rest_no_route']);
  });

  it('sorts and filters, and links to adjacent pages', async () => {
    const parent = Number((await fixture.create())['id']);
    const title = 'Narrowed';
    const first = await attach({ title: `${title} b`, date: '2094-01-01 10:00:00', parent });
    const second = await attach({ title: `${title} a`, date: '2094-01-02 10:00:00', mime: 'video/mp4' });
    const third = await attach({ title: `${title} c`, date: '2094-01-03 10:00:00', author: 3 });
    for (const [query, ids] of [
      ['&order=asc', [first, second, third]],
      ['&orderby=title&order=asc', [second, first, third]],
      [`&include=${third},${first}&orderby=include`, [third, first]],
      [`&exclude=${third}`, [second, first]],
      [`&slug=f-${second},nope`, [second]],
      [`&parent=${parent}`, [first]],
      [`&parent_exclude=${parent}`, [third, second]],
      ['&author=3', [third]],
      ['&media_type=video', [second]],
      ['&mime_type=video/mp4', [second]],
      ['&after=2094-01-01T10:00:00', [third, second]],
      ['&offset=1&per_page=1', [second]],
    ] as const)
      expect([query, idsOf(await ask(search(title, query)))]).toEqual([query, ids]);
    const { headers } = await ask(search(title, '&per_page=1&page=2'));
    const url = 'http://calendar.example.org/wp-json/wp/v2/media?per_page=1';
    expect(headers['link']).toContain(`<${url}&search=${title}&page=3>; rel="next"`);
    expect(headers['link']).toContain(`<${url}&search=${title}>; rel="prev"`);
  });

  it('returns each file as a single read does, newest first and in pages', async () => {
    const older = await attach({ title: 'Pages one', date: '2095-02-01 10:00:00' });
    const sameDate = await attach({ title: 'Pages two', date: '2095-02-02 10:00:00' });
    const last = await attach({ title: 'Pages three', date: '2095-02-02 10:00:00', mime: 'audio/mpeg' });
    const all = await ask(search('Pages'), { as: 'author' });
    expect(idsOf(all)).toEqual([last, sameDate, older]);
    expect(all.headers).toMatchObject({ 'x-wp-total': '3', 'x-wp-totalpages': '1' });
    expect(idsOf(await ask('?per_page=3', { as: 'admin' }))).toEqual([last, sameDate, older]);
    expect(idsOf(await ask(search('Pages', '&media_type=image'), { as: 'author' }))).toEqual([
      sameDate,
      older,
    ]);
    const second = await ask(search('Pages', '&per_page=2&page=2'), { as: 'author' });
    expect([idsOf(second), second.headers['x-wp-totalpages']]).toEqual([[older], '2']);
    for (const [context, as] of [
      ['view', 'author'],
      ['embed', 'author'],
      ['edit', 'editor'],
    ] as const) {
      const { body } = await ask(search('Pages', `&context=${context}`), { as });
      for (const file of body as unknown as { id: number }[])
        expect((await ask(`/${file.id}?context=${context}`, { as })).body).toEqual(file);
    }
    expect(statusAndCode(await ask(search('Pages', '&page=2'), { as: 'author' }))).toEqual([
      400,
      'rest_post_invalid_page_number',
    ]);
    const empty = await ask(search('no such file'), { as: 'author' });
    expect([empty.status, empty.text, empty.headers['x-wp-total']]).toEqual([200, '[]', '0']);
  });

  it.each([
    ['page', ['0', '-1', 'x', '1.5']],
    ['per_page', ['0', '-1', '101', 'x', '99999999999999999999']],
    ['search', ['', '0', 'x'.repeat(1601)]],
    ['media_type', ['font', 'IMAGE', 'image/png', '']],
    ['context', ['all']],
  ])('rejects %s out of its bounds with 400', async (name, values) => {
    for (const value of values) {
      const response = await ask(`?${name}=${value}`, { as: 'admin' });
      expect([value, ...statusAndCode(response)]).toEqual([value, 400, 'rest_invalid_param']);
      expect(Object.keys((response.body['data'] as { params: object }).params)).toEqual([name]);
    }
  });

  it('accepts the bounds themselves', async () => {
    for (const query of ['?per_page=1', '?per_page=100', search('x'.repeat(1600))])
      expect((await ask(query, { as: 'admin' })).status).toBe(200);
    expect(statusAndCode(await ask('?page=9007199254740991&per_page=100', { as: 'admin' }))).toEqual([
      400,
      'rest_post_invalid_page_number',
    ]);
  });

  it('searches titles and file names literally', async () => {
    const percent = await attach({ title: 'Signs 100% done' });
    const line = await attach({ title: 'Signs', file: '2091/01/sn_ake.png' });
    const slash = await attach({ title: String.raw`Signs a\b` });
    const pipe = await attach({ title: "Signs 'x|y'" });
    await attach({ title: 'Signs 100x done ab', file: '2091/01/snxake.png' });
    for (const [text, id] of [
      ['100%', percent],
      ['n_a', line],
      [String.raw`a\b`, slash],
      ["'x|y'", pipe],
    ] as const)
      expect([text, idsOf(await ask(search(text), { as: 'author' }))]).toEqual([text, [id]]);
  });

  it('lists the files that /media/<id> returns, and totals count no others', async () => {
    const title = 'Rights';
    const event = async (fields: object) => Number((await fixture.create({ ...fields }))['id']);
    const [locked, hidden, trashed] = [await event({}), await event({}), await event({})];
    await fixture.ask(`UPDATE wp_posts SET post_password = 'sesame' WHERE ID = ${locked}`);
    const authorId = userId('author');
    const draft = await event({ status: 'draft' });
    await fixture.ask(`UPDATE wp_posts SET post_author = ${authorId} WHERE ID = ${draft}`);
    const product = await event({});
    await fixture.ask(`UPDATE wp_posts SET post_type = 'product' WHERE ID = ${product}`);
    const parents = [
      0,
      699_999,
      locked,
      hidden,
      trashed,
      draft,
      product,
      await event({}),
      await event({ status: 'private' }),
      await event({ status: 'draft' }),
      await event({ status: 'pending' }),
    ];
    const files: number[] = [];
    for (const parent of parents) files.push(await attach({ title, parent }));
    for (const author of [1, authorId]) {
      files.push(await attach({ title, parent: locked, author }));
      files.push(await attach({ title, password: 'sesame', author }));
    }
    const invisible = [
      await attach({ title, status: 'trash', author: authorId }),
      await attach({ title, status: 'private' }),
    ];
    expect((await fixture.send('admin', 'DELETE', `/events/${trashed}`)).status).toBe(200);
    const hooks = fixture.app.nest.get(Hooks);
    hooks.addFilter(queryHook('tribe_events'), (query) => query.where(sql`p.ID <> ${hidden}`));

    for (const as of CALLERS)
      for (const context of UPLOADERS.includes(as) ? ['view', 'edit'] : ['view']) {
        const visible: number[] = [];
        for (const id of files) {
          const { status } = await ask(`/${id}?context=${context}`, { as });
          if (status === 200) visible.push(id);
        }
        const { headers, ...response } = await ask(search(title, `&per_page=100&context=${context}`), { as });
        const ids = idsOf({ headers, ...response });
        expect([as, context, ids.toSorted()]).toEqual([as, context, visible]);
        expect(headers['x-wp-total']).toBe(String(visible.length));
        expect(ids).not.toEqual(expect.arrayContaining(invisible));
        const page = idsOf(await ask(`?per_page=100&context=${context}`, { as }));
        expect(page.filter((id) => files.includes(id))).toEqual(ids);
      }
    const authors = idsOf(await ask(search(title, '&per_page=100'), { as: 'author' }));
    expect([authors.length, files.length]).toEqual([7, 15]);
  });

  it("respects capabilities of single users and those that the site's own pages require", async () => {
    const rights = ['edit_pages', 'edit_others_pages'].map((one) => `s:${one.length}:"${one}";b:1;`).join('');
    const capabilities = `a:3:{s:6:"author";b:1;${rights}}`;
    const author = userId('author');
    const [before] = await fixture.ask(
      `SELECT meta_value AS value FROM wp_usermeta WHERE user_id = ${author} AND meta_key = 'wp_capabilities'`,
    );
    const write = (value: string) =>
      fixture.ask(
        `UPDATE wp_usermeta SET meta_value = '${value}' WHERE user_id = ${author} AND meta_key = 'wp_capabilities'`,
      );
    const files: number[] = [];
    for (const status of ['draft', 'draft', 'publish']) {
      const page = Number((await fixture.create({ status }))['id']);
      await fixture.ask(`UPDATE wp_posts SET post_type = 'page' WHERE ID = ${page}`);
      files.push(await attach({ title: 'On a page', parent: page }));
      if (files.length === 2) {
        await fixture.ask("DELETE FROM wp_options WHERE option_name = 'page_on_front'");
        await fixture.ask(
          `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('page_on_front', '${page}', 'yes')`,
        );
      }
    }
    const [draft, frontPage, published] = files;
    const visible = async () => idsOf(await ask(search('On a page'), { as: 'author' }));
    const statusOf = async (id?: number) => (await ask(`/${id}`, { as: 'author' })).status;
    expect(await visible()).toEqual([published]);
    await write(capabilities);
    fixture.app.clock.pass(2000);
    expect([await statusOf(draft), await statusOf(frontPage), await statusOf(published)]).toEqual([
      200, 403, 200,
    ]);
    expect(await visible()).toEqual([published, draft]);
    await write((before as { value: string }).value);
  });

  it("omits files that a plugin's query filter hides", async () => {
    const id = await attach({ title: 'Filtered' });
    expect(idsOf(await ask(search('Filtered'), { as: 'author' }))).toEqual([id]);
    const hooks = fixture.app.nest.get(Hooks);
    hooks.addFilter(queryHook('attachment'), (query) => query.where(sql`p.ID <> ${id}`));
    expect(idsOf(await ask(search('Filtered'), { as: 'author' }))).toEqual([]);
    expect(statusAndCode(await ask(`/${id}`, { as: 'author' }))).toEqual([403, 'rest_forbidden']);
  });

  it('runs the same number of statements for any page size', async () => {
    for (let count = 0; count < 12; count++) {
      const parent = Number((await fixture.create())['id']);
      await attach({ title: 'Counted', parent, date: '2096-05-01 10:00:00' });
    }
    for (const query of ['?', `${search('Counted')}&`]) {
      const statementsBySize: string[][] = [];
      for (const size of [2, 12]) {
        await ask(`${query}per_page=${size}`, { as: 'author' });
        fixture.app.statements();
        expect(idsOf(await ask(`${query}per_page=${size}`, { as: 'author' }))).toHaveLength(size);
        const { sql: statements } = fixture.app.statements();
        statementsBySize.push(statements.map((one) => one.replaceAll(/\?(, *\?)+/g, '?')).toSorted());
      }
      expect(statementsBySize[1]).toEqual(statementsBySize[0]);
      expect(statementsBySize[0]?.length).toBeLessThanOrEqual(10);
    }
  });
});
