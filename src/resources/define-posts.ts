import { PlainPostFields } from './plain-post.dto.js';
import { type PlainPostJson, plainPostJson } from './plain-post.response.js';
import type { PostResource } from './resource.js';

type Own = Pick<PostResource, 'type' | 'path' | 'one' | 'many' | 'capabilities' | 'entity' | 'linkBase'>;

const text = { type: 'string' };
const PLAIN_POST = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    ...Object.fromEntries(
      ['author', 'status', 'date', 'date_utc', 'modified', 'modified_utc', 'url', 'rest_url', 'title'].map(
        (name) => [name, text],
      ),
    ),
  },
};

/** The definition of a post type that has nothing of its own but fields in its meta; `PlainPostsService` serves it. */
export function definePosts(own: Own): PostResource<PlainPostFields, PlainPostJson> {
  const schema = own.one.replace(/(?:^|\W)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return {
    kind: 'post',
    schema,
    schemas: { [schema]: PLAIN_POST },
    body: PlainPostFields,
    toJson: plainPostJson(own.path),
    ...own,
  };
}
