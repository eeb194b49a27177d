// What any server in Node needs at least for the same pages: node:http and mysql2, the queries for ids, posts, meta and
// terms, JSON.stringify. No totals, no linked records, no rendering, no checks, no filters.
import { createServer } from 'node:http';
import { createPool } from 'mysql2/promise';

const { DATABASE_URL: uri, PORT = '0' } = process.env;
const pool = createPool({ uri, charset: 'utf8mb4', dateStrings: true, connectionLimit: 10 });

const LIST = `SELECT o.post_id AS id FROM wp_tec_occurrences o STRAIGHT_JOIN wp_posts p ON p.ID = o.post_id
  WHERE o.start_date < ? AND o.end_date >= ? AND p.post_type = 'tribe_events' AND p.post_status = 'publish'
  ORDER BY o.start_date, p.ID LIMIT ?`;
const TERMS = `SELECT r.object_id AS post_id, t.term_id, t.name, t.slug, x.taxonomy, x.description, x.parent, x.count
  FROM wp_term_relationships r JOIN wp_term_taxonomy x ON x.term_taxonomy_id = r.term_taxonomy_id
  JOIN wp_terms t ON t.term_id = x.term_id WHERE r.object_id IN (?)`;

const BY_SLUG = "SELECT ID AS id FROM wp_posts WHERE post_name = ? AND post_type = 'tribe_events'";

const idsOf = (found) => found.map(({ id }) => id);
const rows = async (statement, values) => (await pool.query(statement, values))[0];

async function ids({ pathname, searchParams }) {
  const id = Number(pathname.split('/').at(-1));
  if (id > 0) return [id];
  if (pathname.startsWith('/events/by-slug/'))
    return idsOf(await rows(BY_SLUG, [pathname.split('/').at(-1)]));
  const start = searchParams.get('start_date') ?? new Date().toISOString().slice(0, 19).replace('T', ' ');
  const end = searchParams.get('end_date') ?? '9999-12-31';
  return idsOf(await rows(LIST, [end, start, Number(searchParams.get('per_page') ?? 10)]));
}

async function page(url) {
  const wanted = await ids(url);
  if (wanted.length === 0) return { events: [] };
  const [posts, meta, terms] = await Promise.all([
    rows('SELECT * FROM wp_posts WHERE ID IN (?)', [wanted]),
    rows('SELECT post_id, meta_key, meta_value FROM wp_postmeta WHERE post_id IN (?)', [wanted]),
    rows(TERMS, [wanted]),
  ]);
  const events = new Map(posts.map((post) => [post.ID, { ...post, meta: {}, terms: [] }]));
  for (const { post_id, meta_key, meta_value } of meta) events.get(post_id).meta[meta_key] = meta_value;
  for (const { post_id, ...term } of terms) events.get(post_id).terms.push(term);
  return { events: wanted.map((id) => events.get(id)) };
}

const server = createServer(async (request, response) => {
  try {
    const body = JSON.stringify(await page(new URL(request.url, 'http://localhost')));
    response.setHeader('Content-Type', 'application/json; charset=UTF-8');
    response.end(body);
  } catch (error) {
    console.error(error);
    response.statusCode = 500;
    response.end();
  }
});
server.listen(Number(PORT), '127.0.0.1');
