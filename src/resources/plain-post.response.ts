import { restUrl } from '../http/rest-request.js';
import type { ImageObject } from '../wordpress/media/image-object.js';
import { imageOf } from '../wordpress/posts/post-response.js';
import type { ShownPost } from './resource.js';
import { isLocked, postUrl, type ResponseContext, textsOf } from './response-context.js';

/** A post with nothing of its own as it is shown; HTML texts are rendered. */
export interface PlainPostJson {
  id: number;
  author: string;
  status: string;
  date: string;
  date_utc: string;
  modified: string;
  modified_utc: string;
  url: string;
  rest_url: string;
  title: string;
  description: string;
  excerpt: string;
  slug: string;
  image: ImageObject | false;
}

/** Shows such a post of the resource at this path; a password hides its texts and its image. */
export function plainPostJson(path: string) {
  return ({ post }: ShownPost, context: ResponseContext): PlainPostJson => {
    const { title, description, excerpt } = textsOf(post, context);
    const locked = isLocked(post, context);
    return {
      id: post.id,
      author: String(post.author),
      status: post.status,
      date: post.date,
      date_utc: post.dateGmt,
      modified: post.modified,
      modified_utc: post.modifiedGmt,
      url: postUrl(post, context),
      rest_url: restUrl(context.base, `/${path}/${post.id}`),
      title,
      description: locked ? '' : description,
      excerpt: locked ? '' : excerpt,
      slug: post.name,
      image: locked ? false : imageOf(post, context.render),
    };
  };
}
