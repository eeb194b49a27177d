import { setTimeout as sleep } from 'node:timers/promises';
import { searchTerms } from '../../src/wordpress/posts/search-terms.js';
import { SearchFilter } from '../../src/wordpress/search-index/search-filter.js';
import { startApp, type TestApp } from '../support/app.js';
import { type Caller, clientOf, type Send } from '../support/calendar-client.js';
import { crowd } from '../support/large-calendar.js';
import { describeDatabase, SERVER_NAME } from '../support/sites.js';
import { SeededRandom } from '../support/unusual-values.js';
import { openWriteFixture, type WriteFixture } from '../support/write-fixture.js';

const EVENTS = 5200;
const TERMS = process.env['ALMANAC_LONG_TESTS'] === '1' ? 2000 : 120;
const WINDOW = 'start_date=1000-01-01&end_date=9999-12-31&per_page=20';

/** Characters that collations equate, ignore or expand, and characters with a meaning in SQL. */
const FAMILIES = [
  'aAáÁàäåÅａ𝒶𝔸Ⓐªąаα',
  'eEéÉèêëęｅ𝑒℮εе',
  'iIíÍîïıİⅰｉјjyÿ',
  'oOóöøØőｏ𝑜º0𝟎',
  'sSśšşſｓ𝓈ßẞ',
  'uUüÜůűｕvV',
  'cCçćčｃℂⅽ',
  'nNñńｎℕ',
  'lLłĺｌℓⅼ',
  'kK\u212aķｋκк',
  'fFﬁﬂﬀ',
  'æÆǽœŒĳǆ',
  '1１¹①',
  '\u00ad\u200b\u200d\ufeff\u0301\u0308\u0000\u0001',
  ' \u00a0\u3000\t\n',
  '-‐–—_%|\\％＿',
  '\'"’”`',
  'жЖ日本が\u304b\u3099가🎉👍\ud83d\udc4d',
];
const ALL = FAMILIES.flatMap((family) => [...family]);
const WORDS = [
  'concert',
  'Straße',
  'ångström',
  'fly_100%',
  'a\\b|c',
  'naïveté',
  'œuvre',
  'Köln',
  'ficus',
  '東京',
];

const LETTERS = [...'aeiouscnlkfv1-'];

/** Creates texts whose letters are replaced by ones that collations may equate. */
class OddTexts {
  constructor(private readonly dice: SeededRandom) {}

  letter(letter: string): string {
    if (this.dice.roll(4) > 0) return letter;
    const family = FAMILIES.find((one) => one.includes(letter));
    return family && this.dice.roll(5) > 0 ? this.dice.pick([...family]) : this.dice.pick(ALL);
  }

  /** Every other word is rare. */
  text(words: number): string {
    const rare = () => Array.from({ length: 5 + this.dice.roll(4) }, () => this.dice.pick(LETTERS));
    const word = (at: number) => (at % 2 === 0 ? rare() : [...this.dice.pick(WORDS)]);
    return Array.from({ length: words }, (_, at) =>
      word(at)
        .map((one) => this.letter(one))
        .join(''),
    ).join(' ');
  }

  /** A part of a text with some letters replaced. */
  part(text: string): string {
    const letters = [...text];
    const from = this.dice.roll(letters.length);
    const part = letters.slice(from, from + 2 + this.dice.roll(10));
    return part.map((one) => (this.dice.roll(3) === 0 ? this.letter(one) : one)).join('');
  }
}

const quoted = (text: string) => `'${text.replace(/['\\]/g, '$&$&')}'`;

describeDatabase('the search index', SERVER_NAME, () => {
  const unusual = new OddTexts(new SeededRandom(7));
  const texts: string[] = [];
  let fixture: WriteFixture;
  let filter: SearchFilter;
  let plain: TestApp;
  let sendPlain: Send;

  beforeAll(async () => {
    fixture = await openWriteFixture(SERVER_NAME, async (ask) => {
      await crowd(ask, EVENTS);
      for (let at = 0; at < EVENTS; at += 400) {
        const rows = Array.from({ length: 400 }, (_, next) => {
          const columns = [unusual.text(2), unusual.text(1), unusual.text(6)];
          texts.push(...columns);
          return `(${100_000 + at + next}, ${columns.map(quoted).join(', ')}, '', '', '')`;
        });
        await ask(`INSERT INTO wp_posts (ID, post_title, post_excerpt, post_content, to_ping, pinged, post_content_filtered)
          VALUES ${rows.join(', ')} ON DUPLICATE KEY UPDATE post_title = VALUES(post_title),
          post_excerpt = VALUES(post_excerpt), post_content = VALUES(post_content)`);
      }
    });
    // A server without caches runs every search by SQL.
    plain = await startApp({ databaseUrl: fixture.databaseUrl, env: { CACHE: 'off' } });
    sendPlain = clientOf(plain.url);
    filter = fixture.app.nest.get(SearchFilter, { strict: false });
    await filter.begin();
  });
  afterAll(async () => {
    await plain?.close();
    await fixture?.close();
  });

  /** The result of both servers for a search; fails where they differ. */
  const search = async (text: string, caller: Caller = 'anonymous', more = '') => {
    const path = `/events?${WINDOW}&search=${encodeURIComponent(text)}${more}`;
    const [ours, theirs] = await Promise.all(
      [fixture.send, sendPlain].map((send) => send(caller, 'GET', path)),
    );
    expect([text, caller, ours?.status, ours?.body]).toEqual([text, caller, theirs?.status, theirs?.body]);
    return ((ours?.body['events'] ?? []) as { id: number }[]).map(({ id }) => id);
  };
  const isFiltered = async (text: string) => (await filter.find(text)) !== undefined;

  /** Statistics of the index for random terms; fails where `LIKE` differs. */
  const compare = async (from: number, terms: number) => {
    const counts = { sure: 0, maybe: 0, left: 0 };
    const wrong: unknown[] = [];
    for (let at = from; at < from + terms; at++) {
      const part = unusual
        .part(new SeededRandom(at).pick(texts))
        .replaceAll('"', '')
        .replaceAll('\\', '\\\\');
      const text = `"${part}"`;
      const [term] = searchTerms(text).wanted;
      const found = await filter.find(text);
      if (!found || term === undefined) {
        counts.left += 1;
        continue;
      }
      const like = (column: string) =>
        `post_${column} LIKE ${quoted(`%${term.replace(/[|%_]/g, '|$&')}%`)} ESCAPE '|'`;
      const rows = await fixture.ask(
        `SELECT ID, post_password = '' AS open FROM wp_posts WHERE post_type = 'tribe_events'
         AND (${like('title')} OR ${like('excerpt')} OR ${like('content')})`,
      );
      const there = new Map(rows.map(({ ID, open }) => [Number(ID), Number(open)]));
      const [sure, maybe] = [[...found.definite.ids()], new Set(found.candidates.ids())];
      const known = new Set(sure);
      for (const id of sure) if (there.get(id) !== 1) wrong.push([term, id, 'is not there']);
      for (const id of there.keys()) if (!known.has(id) && !maybe.has(id)) wrong.push([term, id, 'is there']);
      if (sure.length > 0) counts.sure += 1;
      else if (maybe.size > 0) counts.maybe += 1;
    }
    expect(wrong).toEqual([]);
    return counts;
  };

  it('finds the posts that LIKE finds, for any characters', async () => {
    const { sure, maybe, left } = await compare(0, TERMS);
    expect([sure > TERMS / 3, maybe > TERMS / 20, left < TERMS / 3]).toEqual([true, true, true]);
  });

  it('changes no response: wanted, unwanted and short words, drafts, hidden and protected events', async () => {
    const dice = new SeededRandom(3);
    const callers: Caller[] = ['anonymous', 'admin', 'subscriber'];
    for (let at = 0; at < TERMS / 10; at++) {
      const words = Array.from({ length: 1 + dice.roll(2) }, () => unusual.part(dice.pick(texts)));
      const caller = dice.pick(callers);
      await search(words.join(' '), caller);
      await search(`"${words.join(' ')}" -${unusual.part(dice.pick(texts))}`, caller, '&password=secret');
    }
    for (const text of ['東京', 'on', '-concert', '100%', '\\', 'zyxwvu', 'concert zyxwvu'])
      await search(text);
    expect(await search('zyxwvu')).toEqual([]);
    fixture.app.statements();
    await search('zebras nowhere', 'admin');
    expect(fixture.app.statements().sql.join('\n')).toMatch(/p\.ID IN \(|1 = 0/);
    const known = ['zebras nowhere', 'on', '-concert', 'zyxwvu', '🦄', '"-"'];
    expect(await Promise.all(known.map(isFiltered))).toEqual([true, true, true, true, false, false]);
  });

  it('answers searches for common words without reading texts', async () => {
    for (const text of ['e', 'concert -straße', '-ångström', '100%']) {
      await search(text, 'subscriber', '&page=2');
      fixture.app.statements();
      const { body } = await fixture.send(
        'anonymous',
        'GET',
        `/events?${WINDOW}&search=${encodeURIComponent(text)}`,
      );
      expect([text, Number(body['total']) > 100]).toEqual([text, true]);
      const compared = fixture.app.statements().sql.filter((one) => one.includes(' LIKE '));
      // SQL decides whether protected ones are found.
      expect(compared.filter((one) => !one.includes('p.ID IN ('))).toEqual([]);
    }
  });

  it('includes own writes at once', async () => {
    const { id } = await fixture.create({ title: 'Quixotic harpsichords', description: 'xylophones' });
    const both = async () => [await search('quixotic'), await search('xylophone'), await search('zephyrs')];
    expect(await both()).toEqual([[id], [id], []]);
    await fixture.update(id, { title: 'Ｚëphyrs' });
    expect(await both()).toEqual([[], [id], [id]]);
    await fixture.send('admin', 'DELETE', `/events/${id}`);
    expect(await both()).toEqual([[], [], []]);
    expect(await isFiltered('zephyrs')).toBe(true);
  });

  it('includes writes of another program within a second, also deletions and new characters', async () => {
    const [id, other] = [100_010, 103_333];
    const set = (content: string) =>
      plain.dataSource.query('UPDATE wp_posts SET post_content = ?, post_password = ? WHERE ID IN (?, ?)', [
        content,
        '',
        id,
        other,
      ]);
    await fixture.ask(
      `UPDATE wp_posts SET post_status = 'publish', post_password = '' WHERE ID IN (${id}, ${other})`,
    );
    for (const content of ['ⓠⓤⓘⓩⓩⓔⓢ', '', 'quizzes', `${'ж '.repeat(20_000)} quizzes`, 'x']) {
      await set(content);
      await sleep(1000);
      const visible = await search('quizzes', 'admin');
      expect([content.slice(0, 20), visible.length > 0]).toEqual([content.slice(0, 20), content.length > 1]);
      expect(await isFiltered('quizzes')).toBe(true);
    }
  });

  it('notices changes of rows without text', async () => {
    const id = 100_020;
    const set = (password: string, content: string) =>
      fixture.ask(`UPDATE wp_posts SET post_password = ${password}, post_content = '${content}',
        post_status = 'publish' WHERE ID = ${id}`);
    await fixture.ask('ALTER TABLE wp_posts MODIFY post_password VARCHAR(255) NULL DEFAULT ""');
    for (const [password, content] of [
      ['NULL', 'quagga'],
      ['NULL', 'okapis'],
      ["''", 'okapis'],
      ['NULL', 'okapis'],
    ] as const) {
      await set(password, content);
      for (const caller of ['admin', 'anonymous'] as const)
        expect([password, caller, await search(content, caller)]).toEqual([
          password,
          caller,
          caller === 'admin' || password !== 'NULL' ? [id] : [],
        ]);
    }
    expect(await isFiltered('okapis')).toBe(true);
  });

  it('leaves searches to SQL while many rows have changed', async () => {
    await fixture.ask(
      `UPDATE wp_posts SET post_content = CONCAT(post_content, ' zebras') WHERE post_type = 'tribe_events'`,
    );
    expect(await isFiltered('zebras ficus')).toBe(false);
    await search('zebras ficus');
    await filter.settled();
    expect(await isFiltered('zebras nowhere')).toBe(true);
  });

  it.each(['utf8mb4_unicode_ci', 'utf8mb4_general_ci'])('folds characters by %s', async (collation) => {
    const columns = ['post_title', 'post_excerpt', 'post_content'];
    const types = columns.map((column) => `MODIFY ${column} LONGTEXT COLLATE ${collation} NOT NULL`);
    await fixture.ask(`ALTER TABLE wp_posts ${types.join(', ')}`);
    await sleep(1000);
    expect(await isFiltered('concert')).toBe(false);
    await filter.settled();
    const { sure } = await compare(10_000, TERMS / 4);
    expect(sure > TERMS / 12).toBe(true);
  });

  it('uses the collation of the columns, and is off for an unknown one', async () => {
    const collate = (column: string, collation: string) =>
      fixture.ask(`${SERVER_NAME === 'MySQL' ? '' : "SET STATEMENT sql_mode = '' FOR"}
        ALTER TABLE wp_posts MODIFY ${column} LONGTEXT COLLATE ${collation} NOT NULL`);
    const { id } = await fixture.create({ title: 'Élégance' });
    const { id: ascii } = await fixture.create({ title: 'Moderne' });
    expect(await search('elegance')).toContain(id);
    for (const column of ['post_title', 'post_excerpt']) await collate(column, 'utf8mb4_bin');
    expect(await isFiltered('elegance')).toBe(false);
    await collate('post_content', 'utf8mb4_bin');
    await filter.settled();
    expect(await isFiltered('elegance')).toBe(false);
    expect([await search('elegance'), await search('Élégance')]).toEqual([[], [id]]);
    // The first filter of SQL compares letter case in the same way.
    expect([await search('moderne'), await search('Moderne')]).toEqual([[], [ascii]]);
    for (const column of ['post_title', 'post_excerpt', 'post_content'])
      await collate(column, 'latin1_swedish_ci');
    expect([await search('moderne'), await search('ÉLÉGANCE')]).toEqual([[ascii], [id]]);
  });
});
