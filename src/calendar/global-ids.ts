import { trimSlash } from '../wordpress/posts/permalink.js';
import type { PostRecord } from '../wordpress/posts/post-record.js';

/** Host and path of a URL, verbatim: neither lower-cased nor encoded. */
const HOST_AND_PATH = /^[a-z][\w+.-]*:\/\/(?:[^@/?#]*@)?([^:/?#]*)(?::\d*)?([^?#]*)/i;

/** The identifier that event aggregators use: host and path of the site without scheme and port. */
export function globalId(home: string, id: number): string {
  const [, host = '', path = ''] = HOST_AND_PATH.exec(home) ?? [];
  return `${host}${trimSlash(path)}?id=${id}`;
}

export function globalIds(post: PostRecord, home: string) {
  const id = globalId(home, post.id);
  return {
    global_id: id,
    global_id_lineage: [id, ...(post.meta.get('_tribe_aggregator_global_id_lineage') ?? [])],
  };
}
