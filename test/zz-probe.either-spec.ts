import { describeDatabases } from './support/sites.js';
import { EVENT, openGround, type WriteGround } from './support/write-ground.js';

const set = (name: string, value: string) => async (ask: any) => {
  await ask(`DELETE FROM wp_options WHERE option_name='${name}'`);
  await ask(
    `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('${name}', '${value}', 'yes')`,
  );
};
const P = [
  'post.post_date',
  'post.post_date_gmt',
  'post.post_status',
  'post.post_name',
  'post.guid',
  'post.post_modified',
  'post.post_modified_gmt',
  'post.post_title',
  'post.post_content',
  'post.post_excerpt',
  'post.comment_status',
  'post.menu_order',
  'post.post_author',
];
describeDatabases('probe', (database) => {
  const show = (rows: any, extra: string[] = []) =>
    Object.fromEntries(
      Object.entries(rows).filter(
        ([k]) =>
          P.includes(k) ||
          /^meta\._(Event|tribe_f|wp_|thumb)/.test(k) ||
          /^(event|occurrence)\.(start|end|tim|dur)/.test(k) ||
          k === 'terms' ||
          extra.includes(k),
      ),
    );
  it('V1 5.5 sub-directory', async () => {
    const g = await openGround(database, async (ask) => {
      await set('timezone_string', '')(ask);
      await set('gmt_offset', '5.5')(ask);
      await set('home', 'http://intra.example.net:8081/kalender')(ask);
      await set('siteurl', 'http://intra.example.net:8081/kalender/wp')(ask);
      await set('WPLANG', 'de_DE')(ask);
      await set('permalink_structure', '/index.php/blog/%postname%')(ask);
    });
    try {
      const a = await g.create({
        title: 'Füße & Größe',
        cost: '1.000,50 €',
        date: '2026-01-05 00:10:00',
        categories: ['Ärger'],
      });
      console.log(database, 'V1 a', show(await g.rows(a['id'])));
      const b = await g.create({
        title: 'Ganztag',
        all_day: true,
        status: 'future',
        date: '2092-01-01 02:00:00',
      });
      console.log(
        database,
        'V1 b',
        show(await g.rows(b['id'])),
        await g.ask("SELECT option_value v FROM wp_options WHERE option_name='cron'"),
      );
      const c = await g.create({ title: 'Entwurf', status: 'draft' });
      console.log(database, 'V1 c', show(await g.rows(c['id'])));
      const d = await g.update(c['id'], { timezone: 'Pacific/Chatham', all_day: true });
      console.log(database, 'V1 d', show(await g.rows(c['id'])));
      await g.update(c['id'], { all_day: false, timezone: '' });
      console.log(database, 'V1 e', show(await g.rows(c['id'])));
    } finally {
      await g.close();
    }
  });
});
