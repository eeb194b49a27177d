import { Injectable } from '@nestjs/common';
import { sentTexts } from '../http/params/check-context.js';
import type { RequestContext } from '../http/request-context.js';
import { cut } from '../lib/safe-text.js';
import { CATEGORY } from '../resources/categories/category-type.js';
import type { ListEventsQuery } from '../resources/events/event.dto.js';
import { plainText } from '../resources/events/event-entry.js';
import { TAG } from '../resources/tags/tag-type.js';
import { PostVisibility } from '../wordpress/posts/post-visibility.js';
import { PostsService } from '../wordpress/posts/posts.service.js';
import { TermVisibility } from '../wordpress/terms/term-visibility.js';
import { TermsService } from '../wordpress/terms/terms.service.js';
import { calendarOf } from './calendar-file.js';

/** Characters of a filter's values. */
const MAX_LENGTH = 200;
/** Records of a filter that a name contains. */
const MAX_NAMED = 5;
/** Filters that a name contains verbatim. */
const PLAIN = /^(start|end)_date$|^(starts|ends)_(before|after)$|^(status|featured|geoloc|include)$/;

/** Names of feeds and calendar files: the name of the site and the filters. */
@Injectable()
export class FeedNames {
  constructor(
    private readonly terms: TermsService,
    private readonly visibleTerms: TermVisibility,
    private readonly posts: PostsService,
    private readonly visiblePosts: PostVisibility,
  ) {}

  /** `Calendar – Music, Jazz – Town hall`. */
  async of(query: ListEventsQuery, context: RequestContext): Promise<string> {
    const sent = new Map(sentTexts(query, []));
    const { search = '', venue, organizer } = query;
    const parts = [
      await this.termNames(CATEGORY.taxonomy, sent.get('categories'), context),
      await this.termNames(TAG.taxonomy, sent.get('tags'), context),
      await this.postNames(venue?.ids ?? [], context),
      await this.postNames(organizer?.ids ?? [], context),
      search && `"${search}"`,
      ...[...sent].filter(([name]) => PLAIN.test(name)).map(([name, text]) => `${name} ${text}`),
    ];
    const named = parts.filter((part) => part !== '').map((part) => cut(part, MAX_LENGTH));
    return [calendarOf(context.settings).name, ...named].join(' – ');
  }

  private async termNames(
    taxonomy: string,
    sent: string | undefined,
    context: RequestContext,
  ): Promise<string> {
    const items = (sent ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
      .slice(0, MAX_NAMED);
    const found = await this.terms.named(taxonomy, items, context.settings.render.locale);
    const visible = await this.visibleTerms.of(found, context);
    return visible.map(({ name }) => plainText(name)).join(', ');
  }

  /** Titles of public posts only: a filter may name any. */
  private async postNames(ids: readonly number[], context: RequestContext): Promise<string> {
    if (ids.length === 0) return '';
    const found = await this.posts.rows(ids.slice(0, MAX_NAMED));
    const visible = await this.visiblePosts.of(
      found.filter(({ status, password }) => status === 'publish' && password === ''),
      context,
    );
    return visible.map(({ title }) => plainText(title)).join(', ');
  }
}
