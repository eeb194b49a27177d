import { CURIES, coreUrl } from '../http/core-links.js';
import type { RequestContext } from '../http/request-context.js';
import { truncate } from '../lib/truncate.js';
import { wpTrimWords } from '../lib/wordpress-text/formatting/tribe-post-excerpt.js';
import { wpautop } from '../lib/wordpress-text/formatting/wpautop.js';
import { EVENT } from '../resources/events/event-type.js';
import { permalink } from '../wordpress/posts/permalink.js';
import { type PostRecord, thumbnailId } from '../wordpress/posts/post-record.js';
import type { PostTexts } from '../wordpress/rendering/renderer.service.js';
import type { TermRecord } from '../wordpress/terms/term-record.js';
import { discussionMembers, leadingMembers, paragraphs, postLinks, viewedText } from './core-response.js';
import type { View } from './list.dto.js';
import type { Discussion } from './post-list.query.js';

/** An event with everything that its JSON needs. */
interface CoreEvent {
  post: PostRecord;
  texts: PostTexts | undefined;
  terms: readonly TermRecord[];
  discussion: Discussion | undefined;
  /** Whether a password hides the event from the caller. */
  isLocked: boolean;
}

/** Characters of a rendered description for an excerpt. */
const EXCERPT_SOURCE = 20_000;
const EXCERPT_WORDS = 55;

/** Makes the JSON of an event in `wp/v2` (docs/behaviour/core-routes.md#events). */
export function toCoreEvent(
  { post, texts, terms, discussion, isLocked }: CoreEvent,
  view: View,
  context: RequestContext,
) {
  const { settings, access } = context;
  const isFull = view !== 'embed';
  const text = viewedText(view);
  const open = (raw: string, rendered: string) => ({
    ...text(raw, isLocked ? '' : rendered),
    protected: post.password !== '',
  });
  const idsOf = (taxonomy: string) => terms.filter((term) => term.taxonomy === taxonomy).map(({ id }) => id);
  const carried = EVENT.taxonomies.map(({ taxonomy, corePath }) => [corePath, idsOf(taxonomy)]);
  return {
    ...leadingMembers(post, view, view === 'edit' ? { password: post.password } : {}),
    link: permalink(post, settings.links, { readable: access.mayRead(post) }),
    title: text(post.title, texts?.title ?? ''),
    ...(isFull && { content: open(post.content, paragraphs(texts?.description)) }),
    excerpt: open(post.excerpt, excerptOf(texts, settings.render.locale)),
    author: post.author,
    featured_media: thumbnailId(post),
    ...(isFull && {
      ...discussionMembers(discussion),
      ...Object.fromEntries(carried),
    }),
    _links: linksOf(post, context),
  };
}

/** Falls back to the first words of the description. */
function excerptOf(texts: PostTexts | undefined, locale: string): string {
  if (texts?.excerpt) return paragraphs(texts.excerpt);
  const source = truncate(texts?.description ?? '', EXCERPT_SOURCE);
  const words = wpTrimWords(source, EXCERPT_WORDS, ' [&hellip;]', locale);
  return words === '' ? '' : wpautop(words);
}

function linksOf(post: PostRecord, context: RequestContext) {
  const href = (path: string) => coreUrl(context, path);
  const image = thumbnailId(post);
  return {
    ...postLinks(post, EVENT.corePath, context),
    ...(image > 0 && { 'wp:featuredmedia': [{ embeddable: true, href: href(`media/${image}`) }] }),
    'wp:attachment': [{ href: href(`media?parent=${post.id}`) }],
    'wp:term': EVENT.taxonomies.map(({ taxonomy, corePath }) => ({
      taxonomy,
      embeddable: true,
      href: href(`${corePath}?post=${post.id}`),
    })),
    curies: CURIES,
  };
}
