import { serialize } from 'node:v8';
import { Injectable } from '@nestjs/common';
import { EventLoopYielder } from '../../common/event-loop.js';
import {
  type AttachmentsInTexts,
  NO_ATTACHMENTS,
} from '../../lib/wordpress-text/formatting/attachments-in-text.js';
import { phpTrim } from '../../lib/wordpress-text/formatting/php-trim.js';
import type {
  Attachment,
  RenderContext,
  RenderSite,
} from '../../lib/wordpress-text/formatting/render-context.js';
import { theContent } from '../../lib/wordpress-text/formatting/the-content.js';
import { theExcerpt } from '../../lib/wordpress-text/formatting/the-excerpt.js';
import { timed } from '../../observability/logging/current-request.js';
import type { RenderedFor } from '../media/attachment-visibility.js';
import { AttachmentsService } from '../media/attachments.service.js';
import { type JsonLdTexts, jsonLdExcerpt, jsonLdTitle } from '../posts/json-ld-text.js';
import type { PostRecord } from '../posts/post-record.js';
import { areShort, isLong } from './long-text.js';
import { LongTexts } from './long-texts.service.js';
import { runTextJob, type TextInput } from './text-functions.js';

/** The rendered texts of a record. */
export interface PostTexts {
  title: string;
  description: string;
  excerpt: string;
  /** Those of its structured data; absent unless they were asked for. */
  jsonLd?: JsonLdTexts;
}

/** Rendered texts by the id of their record. */
export type TextsOfPosts = ReadonlyMap<number, PostTexts>;

/** Records rendered, with what they were rendered with. */
export interface RenderedPosts {
  render: RenderContext;
  texts: TextsOfPosts;
  /** Those whose texts depend on what was rendered before them in the same request; any of them where it is unknown. */
  dependent?: ReadonlySet<number>;
  /** Whether any of their texts names attachments, which it may show. */
  namesAttachments?: boolean;
}

type PlainText = 'title' | 'jsonLdName' | 'jsonLdDescription';

const IN_PLACE = { content: theContent, excerpt: theExcerpt } as const;
/** Attachments that are copied for another thread in one go. */
const BATCH = 50;

/** Renders the texts of records: short ones in place, giving way to other requests, long ones on a thread. */
@Injectable()
export class Renderer {
  /**
   * Texts of records that are shown again (`KeptPosts`), where nothing but themselves and the site made them what they are, and
   * what is rendered later does not depend on them.
   */
  private readonly known = new WeakMap<PostRecord, { site: RenderSite; texts: PostTexts }>();

  constructor(
    private readonly attachments: AttachmentsService,
    private readonly longTexts: LongTexts,
  ) {}

  /**
   * Renders records in the order given, each once: title, content, excerpt, then what structured data show if they are
   * asked for. The order shows, since counters of the request's galleries and players move on. `TextsBusy` when there is
   * too much to do.
   */
  async render(
    posts: readonly PostRecord[],
    context: RenderedFor,
    { jsonLd = false } = {},
  ): Promise<RenderedPosts> {
    return timed('render', () => this.renderAll(posts, context, jsonLd));
  }

  private async renderAll(
    posts: readonly PostRecord[],
    context: RenderedFor,
    jsonLd: boolean,
  ): Promise<RenderedPosts> {
    const { namesAttachments, ...render } = await this.attachments.renderContext(context, posts);
    const texts = new Map<number, PostTexts>();
    const dependent = new Set<number>();
    const watch = watchState(render);
    const breather = new EventLoopYielder();
    for (const post of posts) {
      if (texts.has(post.id)) continue;
      const known = this.known.get(post);
      if (known?.site === render.site && (known.texts.jsonLd || !jsonLd)) {
        texts.set(post.id, known.texts);
        continue;
      }
      watch.wasRead = false;
      watch.wasChanged = false;
      if (breather.shouldYield) await breather.yield();
      const isShort = areShort([post.title, post.content, post.excerpt], render.attachments.size);
      const own = isShort
        ? inOneGo(post, render, jsonLd)
        : await this.oneByOne(post, render, jsonLd, breather);
      texts.set(post.id, own);
      if (watch.wasRead) dependent.add(post.id);
      else if (!watch.wasChanged && isBare(render)) this.known.set(post, { site: render.site, texts: own });
    }
    return { render, texts, dependent, namesAttachments };
  }

  private async oneByOne(
    post: PostRecord,
    render: RenderContext,
    jsonLd: boolean,
    breather: EventLoopYielder,
  ): Promise<PostTexts> {
    const { locale } = render.site;
    return {
      title: await this.plain('title', { text: post.title, locale }, breather),
      description: await this.counted('content', post.content, render, breather),
      excerpt: await this.counted('excerpt', post.excerpt, render, breather),
      ...(jsonLd && { jsonLd: await this.jsonLd(post, locale, breather) }),
    };
  }

  /** Renders a content for nobody; what was long is kept for its first reader. `TextsBusy` when it can not be rendered. */
  async tryOut(content: string, context: RenderedFor): Promise<void> {
    const render = await this.attachments.renderContext(context, [{ content, excerpt: '', meta: new Map() }]);
    await this.counted('content', content, render, new EventLoopYielder(), true);
  }

  private async plain(
    name: PlainText,
    input: TextInput<PlainText>,
    breather: EventLoopYielder,
    instead?: string,
  ): Promise<string> {
    if (isLong(input.text)) return this.longTexts.keep(name, input, instead);
    if (breather.shouldYield) await breather.yield();
    return runTextJob({ name, input });
  }

  private async counted(
    name: 'content' | 'excerpt',
    text: string,
    render: RenderContext,
    breather: EventLoopYielder,
    strict = false,
  ): Promise<string> {
    if (!isLong(text, render.attachments.size)) {
      if (breather.shouldYield) await breather.yield();
      return IN_PLACE[name](text, render);
    }
    const named = await this.longTexts.keep('attachments', { text }, NO_ATTACHMENTS);
    const attachments = await copies(namedOf(named, render.attachments), breather);
    const { site, state } = render;
    const hiddenParents = [...(render.hiddenParents ?? [])].toSorted((a, b) => a - b);
    const input = { text, site, attachments, hiddenParents, state: { ...state } };
    // What can not be rendered within bounds is shown as it is stored: what is stored is always served (W24).
    const asStored = strict ? undefined : { text: phpTrim(text), state };
    const rendered = await this.longTexts.keep(name, input, asStored);
    Object.assign(state, rendered.state);
    return rendered.text;
  }

  private async jsonLd(post: PostRecord, locale: string, breather: EventLoopYielder): Promise<JsonLdTexts> {
    const name = await this.plain('jsonLdName', { text: jsonLdTitle(post), locale }, breather);
    const source = { locale, ...jsonLdExcerpt(post) };
    return { name, description: await this.plain('jsonLdDescription', source, breather, '') };
  }
}

/** The same texts, without waiting: most records are short, and each promise costs. */
function inOneGo(post: PostRecord, render: RenderContext, jsonLd: boolean): PostTexts {
  const { locale } = render.site;
  const structured = (): JsonLdTexts => ({
    name: runTextJob({ name: 'jsonLdName', input: { text: jsonLdTitle(post), locale } }),
    description: runTextJob({ name: 'jsonLdDescription', input: { locale, ...jsonLdExcerpt(post) } }),
  });
  return {
    title: runTextJob({ name: 'title', input: { text: post.title, locale } }),
    description: IN_PLACE.content(post.content, render),
    excerpt: IN_PLACE.excerpt(post.excerpt, render),
    ...(jsonLd && { jsonLd: structured() }),
  };
}

/** Whether there are no attachments that texts could show, to some readers and not to others. */
function isBare({ attachments, hiddenParents }: RenderContext): boolean {
  return attachments.size === 0 && !hiddenParents?.size;
}

/** Notes whether anything of the request's state is looked at, or changed for those that are rendered later. */
function watchState(render: RenderContext): { wasRead: boolean; wasChanged: boolean } {
  const watch = { wasRead: false, wasChanged: false };
  render.state = new Proxy(render.state, {
    get: (state, name) => {
      watch.wasRead = true;
      return Reflect.get(state, name);
    },
    set: (state, name, value) => {
      watch.wasChanged = true;
      return Reflect.set(state, name, value);
    },
  });
  return watch;
}

function namedOf(
  { ids, parents, unattached }: AttachmentsInTexts,
  all: ReadonlyMap<number, Attachment>,
): Attachment[] {
  const wanted = new Set(ids);
  const owners = new Set(unattached ? [...parents, 0] : parents);
  return [...all.values()].filter(({ id, parentId }) => wanted.has(id) || owners.has(parentId));
}

/** In batches, giving way in between. */
async function copies(attachments: readonly Attachment[], breather: EventLoopYielder): Promise<Uint8Array[]> {
  const batches: Uint8Array[] = [];
  for (let at = 0; at < attachments.length; at += BATCH) {
    if (breather.shouldYield) await breather.yield();
    batches.push(serialize(attachments.slice(at, at + BATCH)));
  }
  return batches;
}
