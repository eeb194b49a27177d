// The pages of the floor: the statements for ids, posts, meta and terms, and their rows as they are. No totals, no linked
// records, no rendering, no checks, no filters.
const LIST = `SELECT o.post_id AS id FROM wp_tec_occurrences o STRAIGHT_JOIN wp_posts p ON p.ID = o.post_id
  WHERE o.start_date < ? AND o.end_date >= ? AND p.post_type = 'tribe_events' AND p.post_status = 'publish'
  ORDER BY o.start_date, p.ID LIMIT ?`;
const TERMS = `SELECT r.object_id AS post_id, t.term_id, t.name, t.slug, x.taxonomy, x.description, x.parent, x.count
  FROM wp_term_relationships r JOIN wp_term_taxonomy x ON x.term_taxonomy_id = r.term_taxonomy_id
  JOIN wp_terms t ON t.term_id = x.term_id WHERE r.object_id IN (?)`;

const BY_SLUG = "SELECT ID AS id FROM wp_posts WHERE post_name = ? AND post_type = 'tribe_events'";

const idsOf = (found) => found.map(({ id }) => id);

async function ids({ pathname, searchParams }, rows) {
  const id = Number(pathname.split('/').at(-1));
  if (id > 0) return [id];
  if (pathname.startsWith('/events/by-slug/'))
    return idsOf(await rows(BY_SLUG, [pathname.split('/').at(-1)]));
  const start = searchParams.get('start_date') ?? new Date().toISOString().slice(0, 19).replace('T', ' ');
  const end = searchParams.get('end_date') ?? '9999-12-31';
  return idsOf(await rows(LIST, [end, start, Number(searchParams.get('per_page') ?? 10)]));
}

/** The events that a URL asks for; `rows(statement, values)` asks the database. */
export async function page(url, rows) {
  const wanted = await ids(new URL(url, 'http://localhost'), rows);
  return { events: wanted.length === 0 ? [] : await events(wanted, rows) };
}

/** Posts with their meta and terms. */
export async function events(wanted, rows) {
  const [posts, meta, terms] = await Promise.all([
    rows('SELECT * FROM wp_posts WHERE ID IN (?)', [wanted]),
    rows('SELECT post_id, meta_key, meta_value FROM wp_postmeta WHERE post_id IN (?)', [wanted]),
    rows(TERMS, [wanted]),
  ]);
  const found = new Map(posts.map((post) => [post.ID, { ...post, meta: {}, terms: [] }]));
  for (const { post_id, meta_key, meta_value } of meta) found.get(post_id).meta[meta_key] = meta_value;
  for (const { post_id, ...term } of terms) found.get(post_id).terms.push(term);
  return wanted.map((id) => found.get(id));
}
