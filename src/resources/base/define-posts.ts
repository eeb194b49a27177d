import type { Type } from '@nestjs/common';
import { RequiredArgs } from '../../http/params/rest-arg.js';
import type { TextToClean } from '../../wordpress/rendering/cleaning.service.js';
import { PlainPostFields } from './plain-post.dto.js';
import { PlainPostJson, plainPostJson } from './plain-post.response.js';
import type { PostResource } from './resource.js';

type Own = Pick<
  PostResource,
  | 'type'
  | 'path'
  | 'corePath'
  | 'singular'
  | 'plural'
  | 'capabilities'
  | 'grants'
  | 'entity'
  | 'linkBase'
  | 'relations'
>;

/** A post type whose only own data are declared fields in its meta. */
export interface PlainPosts extends PostResource<PlainPostFields, PlainPostJson> {
  /** Body of a create; the title is required. */
  newBody: Type<PlainPostFields>;
}

/** Defines a post type whose only own data are declared fields; `PlainPostsService` serves it. */
export function definePosts(own: Own): PlainPosts {
  // One class per definition, because the declared fields differ.
  const json = class extends PlainPostJson {};
  const body = class extends PlainPostFields {};
  const newBody = class extends body {};
  RequiredArgs('title')(newBody);
  const name = own.singular.replace(/(?:^|\W)(\w)/g, (_, letter: string) => letter.toUpperCase());
  Object.defineProperty(json, 'name', { value: name });
  const toJson = plainPostJson(own.path);
  return { kind: 'post', body, newBody, json, toJson, textsToClean, ...own };
}

const textsToClean = ({ title, description }: PlainPostFields): TextToClean[] => [
  ['title', title],
  ['content', description],
];
