import { isDeepStrictEqual } from 'node:util';
import { asMap, unserialize } from '../../src/lib/wordpress-text/php-serialize.js';
import { grouped } from '../support/groups.js';
import { describeEither } from '../support/sites.js';
import { LAST_ID, openVectorSite, type Role, type VectorSite } from '../support/vector-site.js';
import { loadVectors } from '../support/vectors.js';

type Fields = Record<string, unknown>;

type MetaRow = [key: string, value: unknown];

/** What a request stored and returned. */
interface Outcome extends Fields {
  status: number;
  response?: Fields;
  stored_post?: Fields;
  stored_meta?: MetaRow[];
}

interface Row {
  in: Fields;
  args: { role: Role; route?: string };
  out: Outcome;
}

const BOOKKEEPING = '_tribe_modified_fields';

/** Vectors that a decision overrides: the decision, and the expected outcome derived from recorded ones. */
interface Decision {
  by: string;
  rows: readonly number[];
  instead: (out: Outcome, outcomeOfRow: (row: number) => Outcome) => Outcome;
}

const rejected =
  (code: string, params: string[] | null = null): Decision['instead'] =>
  () => ({ status: 400, response: { code, params } });

/** The outcome of `row` with another cost. */
const withCost =
  (row: number, costs: readonly string[], rendered: string): Decision['instead'] =>
  (_out, outcomeOfRow) => {
    const { stored_meta = [], response, ...out } = outcomeOfRow(row);
    const at = stored_meta.findIndex(([key]) => key === '_EventCost');
    const rows = stored_meta.filter(([key]) => key !== '_EventCost');
    rows.splice(at, 0, ...costs.map((cost): MetaRow => ['_EventCost', cost]));
    return { ...out, stored_meta: rows, response: { ...response, cost: rendered } };
  };

const withZone =
  (timezone: string): Decision['instead'] =>
  ({ stored_meta = [], response, ...out }) => ({
    ...out,
    stored_meta: stored_meta.map(([key, value]) => [key, key === '_EventTimezone' ? timezone : value]),
    response: { ...response, timezone },
  });

const sameAs =
  (row: number): Decision['instead'] =>
  (_out, outcomeOfRow) =>
    outcomeOfRow(row);

const DECISIONS: Readonly<Record<string, readonly Decision[]>> = {
  rest_write: [
    { by: 'W15', rows: [10, 11], instead: rejected('empty_content') },
    // Row 140 sends no slug.
    { by: 'W4', rows: [49], instead: sameAs(140) },
    { by: 'W12', rows: [81, 82], instead: withCost(71, ['0'], 'Free') },
    { by: 'W12', rows: [85, 86], instead: withCost(85, ['5 - 10'], '$5 – $10') },
    { by: 'W12', rows: [89, 90], instead: withCost(89, ['1.5'], '$1.5') },
    { by: 'W13', rows: [105], instead: withZone('UTC') },
    { by: 'W13', rows: [108], instead: withZone('Europe/Paris') },
    { by: 'W3', rows: [114], instead: rejected('rest_invalid_param', ['end_date']) },
    { by: 'W8', rows: [132, 133, 136, 137], instead: rejected('rest_invalid_param', ['status']) },
  ],
  rest_write_linked: [
    { by: 'W10', rows: [0, 1], instead: sameAs(2) },
    { by: 'W10', rows: [5], instead: sameAs(6) },
    { by: 'W10', rows: [18], instead: sameAs(17) },
    { by: 'W10', rows: [19], instead: sameAs(15) },
    { by: 'W10', rows: [20], instead: sameAs(16) },
    {
      by: 'W11',
      rows: [31],
      instead: (out) => ({
        ...out,
        terms: [
          { name: 'Tag One', slug: 'tag-one', taxonomy: 'post_tag' },
          { name: 'Fresh', slug: 'fresh', taxonomy: 'post_tag' },
        ],
      }),
    },
  ],
};

describeEither('rest_write vectors', (database) => {
  let site: VectorSite;
  beforeAll(async () => {
    site = await openVectorSite(database);
  });
  afterAll(() => site?.close());

  describe.each(Object.entries(DECISIONS))('%s', (name, decisions) => {
    const rows = loadVectors<Row[]>(name);

    /** The expected outcome of a row with this record id, as recorded or as a decision says. */
    const expectedOf = (index: number, id: unknown = 0): Outcome => {
      const recorded = (at: number) => comparable((rows[at] as Row).out, id);
      const decision = decisions.find((one) => one.rows.includes(index));
      return decision?.instead(recorded(index), recorded) ?? recorded(index);
    };

    it('each decision changes its recorded outcome', () => {
      const changed = rows.flatMap(({ out }, index) =>
        isDeepStrictEqual(expectedOf(index), comparable(out, 0)) ? [] : [index],
      );
      expect(changed).toEqual(decisions.flatMap((one) => one.rows).sort((a, b) => a - b));
    });

    it.each(grouped([...rows.entries()], ([, row]) => describeInput(row)))('%s', async (_what, group) => {
      const differences: string[] = [];
      for (const [index, row] of group) {
        const isRejected = expectedOf(index).status >= 400;
        // Counting rows takes longer than a write.
        const before = isRejected ? await site.census() : undefined;
        const { id, ...all } = await outcomeOf(site, row);
        if (before) expect(await site.census()).toEqual(before);
        const expected = expectedOf(index, id);
        const actual = pickExpected(all, expected);
        if (!isDeepStrictEqual(actual, expected))
          differences.push(differenceOf(index, row, expected, actual));
        if (all.status < 400) await site.reset();
      }
      expect(differences.join('\n')).toBe('');
    });
  });

  it('modified_fields lists terms before meta and is stored first', async () => {
    const event = { title: 'T', start_date: '2026-12-01 10:00', end_date: '2026-12-01 11:00' };
    const { stored_meta = [] } = await outcomeOf(site, {
      in: { ...event, tags: 'tag-one', categories: 'music' },
      args: { role: 'author' },
    });
    const terms = ['tribe_events_cat', 'post_tag'];
    const [[key, modifiedFields] = [], ...rows] = stored_meta;
    expect([key, modifiedFields]).toEqual([BOOKKEEPING, [...terms, ...rows.map(([name]) => name)]]);
    await site.reset();
  });
});

/** The path of a row and, for events, its fields besides title and dates. */
function describeInput(row: Row): string {
  const path = pathOf(row);
  const more = Object.keys(row.in).filter((name) => !['title', 'start_date', 'end_date'].includes(name));
  return path === '/events' && more.length > 0 ? `${path} with ${more.join(', ')}` : path;
}

function pathOf({ args }: Pick<Row, 'args'>): string {
  return args.route?.replace(/^POST \/tribe\/events\/v1/, '') ?? '/events';
}

/** Sends a row and collects the response and all stored rows. */
async function outcomeOf({ post, ask }: VectorSite, row: Omit<Row, 'out'>): Promise<Outcome> {
  const { status, body } = await post(row.args.role, pathOf(row), row.in);
  if (status >= 400) {
    const { params } = body['data'] as { params?: Fields };
    return { status, response: { code: body['code'], params: params ? Object.keys(params) : null } };
  }
  const id = Number(body['id']);
  const rows = async (sql: string) => (await ask(sql)).map(texts);
  const [stored_post] = await rows(`SELECT * FROM wp_posts WHERE ID = ${id}`);
  const meta = (await rows(`SELECT * FROM wp_postmeta WHERE post_id = ${id} ORDER BY meta_id`)).map(
    (row): MetaRow => [String(row['meta_key']), row['meta_value']],
  );
  const [stored] = await rows(
    `SELECT * FROM wp_terms JOIN wp_term_taxonomy USING (term_id) WHERE term_id = ${id}`,
  );
  return {
    id,
    status,
    response: body,
    stored_post,
    stored_meta: meta.map(withKeysOnly),
    stored,
    linked_meta: meta.filter(([key]) => /^_Event(?:Venue|Organizer)ID$/.test(key)).map(withoutNewId),
    created_posts: await rows(
      `SELECT post_type, post_title, post_status, post_name FROM wp_posts
       WHERE ID > ${LAST_ID} AND post_type IN ('tribe_venue', 'tribe_organizer') ORDER BY ID`,
    ),
    terms: await rows(
      `SELECT name, slug, taxonomy FROM wp_term_relationships JOIN wp_term_taxonomy USING (term_taxonomy_id)
       JOIN wp_terms USING (term_id) WHERE object_id = ${id} ORDER BY term_id`,
    ),
  };
}

/** The members of `all` that are expected, recursively. */
function pickExpected(all: Fields, expected: Fields): Fields {
  const entries = Object.entries(expected).map(([name, value]) => {
    const found = all[name];
    return [name, isFields(value) && isFields(found) ? pickExpected(found, value) : found];
  });
  return Object.fromEntries(entries);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A recorded outcome without ids, times and message texts, which differ between sites. */
function comparable(out: Outcome, id: unknown): Outcome {
  const { response } = out;
  if (response && out.status >= 400) {
    const { code, params } = response;
    return { ...out, response: { code, params: params ? Object.keys(params as Fields) : null } };
  }
  const outcome = { ...out };
  if (typeof response?.['website'] === 'string')
    outcome.response = { ...response, website: response['website'].replace(/&p=\d+$/, `&p=${id}`) };
  if (out.stored_meta) outcome.stored_meta = out.stored_meta.map(withKeysOnly);
  if ('linked_meta' in out) outcome['linked_meta'] = (out['linked_meta'] as MetaRow[]).map(withoutNewId);
  return outcome;
}

/** The bookkeeping row with its keys only. */
function withKeysOnly([key, value]: MetaRow): MetaRow {
  return key === BOOKKEEPING ? [key, [...asMap(unserialize(String(value))).keys()]] : [key, value];
}

function withoutNewId([key, value]: MetaRow): MetaRow {
  return [key, Number(value) > LAST_ID ? 'new' : value];
}

function texts(row: Fields): Fields {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]));
}

function differenceOf(index: number, row: Row, expected: Fields, actual: Fields): string {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
  const parts = names
    .filter((name) => !isDeepStrictEqual(expected[name], actual[name]))
    .map(
      (name) =>
        `   ${name}: expected ${JSON.stringify(expected[name])}\n   ${name}: actual   ${JSON.stringify(actual[name])}`,
    );
  return `#${index} ${row.args.role} ${JSON.stringify(row.in).slice(0, 300)}\n${parts.join('\n')}`;
}
