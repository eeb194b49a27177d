import { serialize } from 'node:v8';
import { Injectable } from '@nestjs/common';
import { EventLoopYielder } from '../../common/event-loop.js';
import {
  type AttachmentsInTexts,
  NO_ATTACHMENTS,
} from '../../lib/wordpress-text/formatting/attachments-in-text.js';
import { phpTrim } from '../../lib/wordpress-text/formatting/php-strings.js';
import type {
  Attachment,
  RenderContext,
  RenderSite,
} from '../../lib/wordpress-text/formatting/render-context.js';
import { theContent, theExcerpt } from '../../lib/wordpress-text/formatting/the-content.js';
import { timed } from '../../observability/logging/timings.js';
import { AttachmentsService, type RenderedFor } from '../media/attachments.service.js';
import { type JsonLdTexts, jsonLdExcerpt, jsonLdTitle, type PostRecord } from '../posts/post-record.js';
import { areShort, isLong, LongTexts } from './long-texts.service.js';
import { runTextJob, type TextInput } from './text-functions.js';

export interface PostTexts {
  title: string;
  description: string;
  excerpt: string;
  /** Those of its structured data, if requested. */
  jsonLd?: JsonLdTexts;
}

export type TextsOfPosts = ReadonlyMap<number, PostTexts>;

/** Rendered records and the context of their rendering. */
export interface RenderedPosts {
  render: RenderContext;
  texts: TextsOfPosts;
  /** Records whose texts depend on those rendered before in the same request; undefined where unknown: possibly all. */
  dependent?: ReadonlySet<number>;
  namesAttachments?: boolean;
}

type PlainText = 'title' | 'jsonLdName' | 'jsonLdDescription';

const IN_PLACE = { content: theContent, excerpt: theExcerpt } as const;
/** Attachments that are copied for another thread without yielding. */
const BATCH = 50;

/** Renders the texts of records: short ones in place, yielding to other requests, long ones on a thread. */
@Injectable()
export class Renderer {
  /** Texts of cached records that depend only on themselves and the site, as do all later texts. */
  private readonly cache = new WeakMap<PostRecord, { site: RenderSite; texts: PostTexts }>();

  constructor(
    private readonly attachments: AttachmentsService,
    private readonly longTexts: LongTexts,
  ) {}

  /** Renders records once each, in order, as it shows in numbers of galleries; may throw `TextsBusy`. */
  async render(
    posts: readonly PostRecord[],
    context: RenderedFor,
    { jsonLd = false } = {},
  ): Promise<RenderedPosts> {
    return timed('render', () => this.renderAll(posts, context, jsonLd));
  }

  private async renderAll(posts: readonly PostRecord[], context: RenderedFor, jsonLd: boolean) {
    const { namesAttachments, ...render } = await this.attachments.renderContext(context, posts);
    const texts = new Map<number, PostTexts>();
    const dependent = new Set<number>();
    const watch = watchState(render);
    const yielder = new EventLoopYielder();
    for (const post of posts) {
      if (texts.has(post.id)) continue;
      const cached = this.cache.get(post);
      if (cached?.site === render.site && (cached.texts.jsonLd || !jsonLd)) {
        texts.set(post.id, cached.texts);
        continue;
      }
      watch.wasRead = false;
      watch.wasChanged = false;
      if (yielder.shouldYield) await yielder.yield();
      const isShort = areShort([post.title, post.content, post.excerpt], render.attachments.size);
      const own = isShort
        ? renderShort(post, render, jsonLd)
        : await this.oneByOne(post, render, jsonLd, yielder);
      texts.set(post.id, own);
      if (watch.wasRead) dependent.add(post.id);
      else if (!watch.wasChanged && isBare(render)) this.cache.set(post, { site: render.site, texts: own });
    }
    return { render, texts, dependent, namesAttachments };
  }

  private async oneByOne(
    post: PostRecord,
    render: RenderContext,
    jsonLd: boolean,
    yielder: EventLoopYielder,
  ): Promise<PostTexts> {
    const { locale } = render.site;
    return {
      title: await this.plain('title', { text: post.title, locale }, yielder),
      description: await this.counted('content', post.content, render, yielder),
      excerpt: await this.counted('excerpt', post.excerpt, render, yielder),
      ...(jsonLd && { jsonLd: await this.jsonLd(post, locale, yielder) }),
    };
  }

  /** Renders a content into the cache of long texts; throws `TextsBusy` if it cannot be rendered. */
  async tryOut(content: string, context: RenderedFor): Promise<void> {
    const render = await this.attachments.renderContext(context, [{ content, excerpt: '', meta: new Map() }]);
    await this.counted('content', content, render, new EventLoopYielder(), true);
  }

  private async plain(
    name: PlainText,
    input: TextInput<PlainText>,
    yielder: EventLoopYielder,
    fallback?: string,
  ): Promise<string> {
    if (isLong(input.text)) return this.longTexts.get(name, input, fallback);
    if (yielder.shouldYield) await yielder.yield();
    return runTextJob({ name, input });
  }

  private async counted(
    name: 'content' | 'excerpt',
    text: string,
    render: RenderContext,
    yielder: EventLoopYielder,
    strict = false,
  ): Promise<string> {
    if (!isLong(text, render.attachments.size)) {
      if (yielder.shouldYield) await yielder.yield();
      return IN_PLACE[name](text, render);
    }
    const named = await this.longTexts.get('attachments', { text }, NO_ATTACHMENTS);
    const attachments = await copies(namedOf(named, render.attachments), yielder);
    const { site, state } = render;
    const hiddenParents = [...(render.hiddenParents ?? [])].toSorted((a, b) => a - b);
    const input = { text, site, attachments, hiddenParents, state: { ...state } };
    // A text that cannot be rendered is shown as stored, so that every record is served (W24).
    const asStored = strict ? undefined : { text: phpTrim(text), state };
    const rendered = await this.longTexts.get(name, input, asStored);
    Object.assign(state, rendered.state);
    return rendered.text;
  }

  private async jsonLd(post: PostRecord, locale: string, yielder: EventLoopYielder): Promise<JsonLdTexts> {
    const name = await this.plain('jsonLdName', { text: jsonLdTitle(post), locale }, yielder);
    const source = { locale, ...jsonLdExcerpt(post) };
    return { name, description: await this.plain('jsonLdDescription', source, yielder, '') };
  }
}

/** Renders a short record synchronously, as most are. */
function renderShort(post: PostRecord, render: RenderContext, jsonLd: boolean): PostTexts {
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

/** Whether there are no attachments, whose visibility would differ by user. */
function isBare({ attachments, hiddenParents }: RenderContext): boolean {
  return attachments.size === 0 && !hiddenParents?.size;
}

/** Records whether rendering reads or changes the state of the request. */
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

function namedOf({ ids, parents, unattached }: AttachmentsInTexts, all: ReadonlyMap<number, Attachment>) {
  const wanted = new Set(ids);
  const owners = new Set(unattached ? [...parents, 0] : parents);
  return [...all.values()].filter(({ id, parentId }) => wanted.has(id) || owners.has(parentId));
}

/** Serializes attachments in batches, yielding in between. */
async function copies(attachments: readonly Attachment[], yielder: EventLoopYielder): Promise<Uint8Array[]> {
  const batches: Uint8Array[] = [];
  for (let at = 0; at < attachments.length; at += BATCH) {
    if (yielder.shouldYield) await yielder.yield();
    batches.push(serialize(attachments.slice(at, at + BATCH)));
  }
  return batches;
}
