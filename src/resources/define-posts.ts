import { PlainPostFields } from './plain-post.dto.js';
import { PlainPostJson, plainPostJson } from './plain-post.response.js';
import type { PostResource } from './resource.js';

type Own = Pick<PostResource, 'type' | 'path' | 'one' | 'many' | 'capabilities' | 'entity' | 'linkBase'>;

/** The definition of a post type that has nothing of its own but fields in its meta; `PlainPostsService` serves it. */
export function definePosts(own: Own): PostResource<PlainPostFields, PlainPostJson> {
  const json = class extends PlainPostJson {};
  const name = own.one.replace(/(?:^|\W)(\w)/g, (_, letter: string) => letter.toUpperCase());
  Object.defineProperty(json, 'name', { value: name });
  return { kind: 'post', body: PlainPostFields, json, toJson: plainPostJson(own.path), ...own };
}
