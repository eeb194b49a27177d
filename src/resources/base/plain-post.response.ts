import { restUrl } from '../../http/rest-request.js';
import type { ImageObject } from '../../lib/wordpress-text/image-object.js';
import { Member, URL_MEMBER } from './member.js';
import { leadingMembers, PostJson, textMembers } from './post-json.js';
import type { LoadedPost } from './resource.js';
import { type ResponseContext, textsOf } from './response-context.js';

const ALWAYS = { optional: false };
const EMBED = { type: 'object', optional: true, isConditional: true } as const;

/** The JSON of a plain post, with rendered HTML texts. */
export class PlainPostJson extends PostJson {
  @Member(ALWAYS) override author: string;
  @Member(ALWAYS) override url: string;
  @Member({ ...URL_MEMBER, visibleWhenLocked: true }) rest_url: string;
  @Member({ description: 'HTML.', visibleWhenLocked: true }) title: string;
  @Member(ALWAYS) override description: string;
  @Member(ALWAYS) override excerpt: string;
  @Member(ALWAYS) override slug: string;
  @Member(ALWAYS) override image: ImageObject | false;
  @Member({ ...EMBED, description: 'Links to the records of relations, if `_embed` asks for them.' })
  _links?: object;
  @Member({ ...EMBED, description: 'Lists of these records by relation.' }) _embedded?: object;
}

/** Creates the response function of the resource at this path. */
export function plainPostJson(path: string) {
  return ({ post }: LoadedPost, context: ResponseContext): PlainPostJson => ({
    id: post.id,
    ...leadingMembers(post, context),
    rest_url: restUrl(context.base, `/${path}/${post.id}`),
    title: textsOf(post, context).title,
    ...textMembers(post, context),
  });
}
