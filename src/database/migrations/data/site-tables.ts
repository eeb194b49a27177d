/** A table; lists of columns as SQL writes them. */
interface Table {
  /** Each with its kind: one of `KINDS`, or `varchar(n)`, a text that is empty by default or the one behind `=`. */
  columns: string;
  keys?: Readonly<Record<string, string>>;
  unique?: Readonly<Record<string, string>>;
  primary?: string;
}

/** One word per kind of column, with its definition in MySQL and in SQLite. */
export const KINDS = {
  serial: ['bigint(20) unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY', 'INTEGER PRIMARY KEY AUTOINCREMENT'],
  id: ["bigint(20) unsigned NOT NULL DEFAULT '0'", "INTEGER NOT NULL DEFAULT '0'"],
  bigint: ["bigint(20) NOT NULL DEFAULT '0'", "INTEGER NOT NULL DEFAULT '0'"],
  int: ["int(11) NOT NULL DEFAULT '0'", "INTEGER NOT NULL DEFAULT '0'"],
  duration: ['mediumint(30) DEFAULT 7200', 'INTEGER DEFAULT 7200'],
  date: ["datetime NOT NULL DEFAULT '0000-00-00 00:00:00'", "TEXT NOT NULL DEFAULT '0000-00-00 00:00:00'"],
  stamp: [
    'timestamp NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP',
    'TEXT DEFAULT CURRENT_TIMESTAMP',
  ],
  longtext: ['longtext NOT NULL', "TEXT NOT NULL DEFAULT '' COLLATE NOCASE"],
  text: ['text NOT NULL', "TEXT NOT NULL DEFAULT '' COLLATE NOCASE"],
  value: ['longtext', 'TEXT COLLATE NOCASE'],
  key: ['varchar(255) DEFAULT NULL', 'TEXT DEFAULT NULL COLLATE NOCASE'],
  optional: ['varchar(19) DEFAULT NULL', 'TEXT DEFAULT NULL'],
} as const;

/** The tables of a site, by their names without prefix. */
export const TABLES: Readonly<Record<string, Table>> = {
  posts: {
    columns: `
      ID serial, post_author id, post_date date, post_date_gmt date, post_content longtext,
      post_title text, post_excerpt text, post_status varchar(20)=publish,
      comment_status varchar(20)=open, ping_status varchar(20)=open, post_password varchar(255),
      post_name varchar(200), to_ping text, pinged text, post_modified date, post_modified_gmt date,
      post_content_filtered longtext, post_parent id, guid varchar(255), menu_order int,
      post_type varchar(20)=post, post_mime_type varchar(100), comment_count bigint
    `,
    keys: {
      post_name: 'post_name(191)',
      type_status_date: 'post_type,post_status,post_date,ID',
      post_parent: 'post_parent',
      post_author: 'post_author',
    },
  },
  postmeta: {
    columns: 'meta_id serial, post_id id, meta_key key, meta_value value',
    keys: { post_id: 'post_id', meta_key: 'meta_key(191)' },
  },
  terms: {
    columns: 'term_id serial, name varchar(200), slug varchar(200), term_group bigint',
    keys: { slug: 'slug(191)', name: 'name(191)' },
  },
  term_taxonomy: {
    columns: `
      term_taxonomy_id serial, term_id id, taxonomy varchar(32), description longtext, parent id,
      count bigint
    `,
    keys: { taxonomy: 'taxonomy' },
    unique: { term_id_taxonomy: 'term_id,taxonomy' },
  },
  term_relationships: {
    columns: 'object_id id, term_taxonomy_id id, term_order int',
    primary: 'object_id,term_taxonomy_id',
    keys: { term_taxonomy_id: 'term_taxonomy_id' },
  },
  termmeta: {
    columns: 'meta_id serial, term_id id, meta_key key, meta_value value',
    keys: { term_id: 'term_id', meta_key: 'meta_key(191)' },
  },
  options: {
    columns: `
      option_id serial, option_name varchar(191), option_value longtext, autoload varchar(20)=yes
    `,
    keys: { autoload: 'autoload' },
    unique: { option_name: 'option_name' },
  },
  users: {
    columns: `
      ID serial, user_login varchar(60), user_pass varchar(255), user_nicename varchar(50),
      user_email varchar(100), user_url varchar(100), user_registered date,
      user_activation_key varchar(255), user_status int, display_name varchar(250)
    `,
    keys: { user_login_key: 'user_login', user_nicename: 'user_nicename', user_email: 'user_email' },
  },
  usermeta: {
    columns: 'umeta_id serial, user_id id, meta_key key, meta_value value',
    keys: { user_id: 'user_id', meta_key: 'meta_key(191)' },
  },
  tec_events: {
    columns: `
      event_id serial, post_id id, start_date varchar(19), end_date optional, timezone varchar(30)=UTC,
      start_date_utc varchar(19), end_date_utc optional, duration duration, updated_at stamp,
      hash varchar(40)
    `,
    unique: { post_id: 'post_id' },
  },
  tec_occurrences: {
    columns: `
      occurrence_id serial, event_id id, post_id id, start_date date, start_date_utc date, end_date date,
      end_date_utc date, duration duration, hash varchar(40), updated_at stamp
    `,
    keys: {
      event_id: 'event_id',
      post_id_dates: 'post_id,end_date,start_date',
      post_id_dates_utc: 'post_id,end_date_utc,start_date_utc',
    },
    unique: { hash: 'hash' },
  },
};
