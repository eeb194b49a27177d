import type { Type } from '@nestjs/common';
import { RequiredArgs } from '../../http/params/rest-arg.js';
import { PlainPostFields } from './plain-post.dto.js';
import { PlainPostJson, plainPostJson } from './plain-post.response.js';
import type { PostResource } from './resource.js';

type Own = Pick<
  PostResource,
  'type' | 'path' | 'corePath' | 'one' | 'many' | 'capabilities' | 'grants' | 'entity' | 'linkBase'
>;

/** A post type that has nothing of its own but fields in its meta. */
export interface PlainPosts extends PostResource<PlainPostFields, PlainPostJson> {
  /** What a create may send: a title is needed. */
  newBody: Type<PlainPostFields>;
}

/** The definition of a post type that has nothing of its own but fields in its meta; `PlainPostsService` serves it. */
export function definePosts(own: Own): PlainPosts {
  // Classes of its own: others of this kind have other fields.
  const json = class extends PlainPostJson {};
  const body = class extends PlainPostFields {};
  const newBody = class extends body {};
  RequiredArgs('title')(newBody);
  const name = own.one.replace(/(?:^|\W)(\w)/g, (_, letter: string) => letter.toUpperCase());
  Object.defineProperty(json, 'name', { value: name });
  return { kind: 'post', body, newBody, json, toJson: plainPostJson(own.path), ...own };
}
