import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { forbidden, RestException } from '../common/errors/rest-exception.js';
import { Database } from '../database/database.js';
import { coreUrl } from '../http/core-links.js';
import type { RequestContext } from '../http/request-context.js';
import { PostQuery } from '../wordpress/posts/post-query.js';
import type { PostRow } from '../wordpress/posts/post-record.js';
import { PostVisibility } from '../wordpress/posts/post-visibility.js';
import { PostsService } from '../wordpress/posts/posts.service.js';
import { Renderer } from '../wordpress/rendering/renderer.service.js';
import { Authors } from '../wordpress/users/authors.service.js';
import { leadingMembers, paragraphs, viewedText, withCorePageHeaders } from './core-response.js';
import type { CorePostListQuery, View } from './list.dto.js';
import { applyCoreFilters, readPage } from './post-list.query.js';

/** The post whose revisions are read. */
interface Parent {
  type: string;
  id: number;
}

/** Reads the revisions of posts, for users who may edit these (docs/behaviour/core-routes.md#revisions). */
@Injectable()
export class RevisionsService {
  constructor(
    private readonly database: Database,
    private readonly posts: PostsService,
    private readonly visibility: PostVisibility,
    private readonly renderer: Renderer,
    private readonly authors: Authors,
  ) {}

  async list(parent: Parent, query: CorePostListQuery, context: RequestContext) {
    await this.check(parent, context);
    const list = applyCoreFilters(this.of(parent), query, context.settings.zone);
    if (query.search !== undefined) list.search(query.search, sql`1 = 1`, true);
    const { rows, total } = await readPage(list, query.page);
    const url = coreUrl(context, `${parent.type}/${parent.id}/revisions`);
    return withCorePageHeaders(await this.show(rows, parent, query.context, context), { url, query, total });
  }

  async get(parent: Parent, id: number, view: View, context: RequestContext) {
    await this.check(parent, context);
    const rows = await this.of(parent).include([id]).orderBy(sql`p.ID`, 'ASC').rows();
    if (rows.length === 0)
      throw new RestException('not_found', 'rest_post_invalid_id', 'There is no revision with this id.');
    const [revision] = await this.show(rows, parent, view, context);
    return revision;
  }

  /** Throws unless the caller may edit the post. */
  private async check({ type, id }: Parent, context: RequestContext): Promise<void> {
    const post = await this.posts.find(id);
    const [visible] = post?.type === type ? await this.visibility.of([post], context) : [];
    if (!visible)
      throw new RestException('not_found', 'rest_post_invalid_parent', 'There is no record with this id.');
    if (!context.access.may('edit', visible))
      throw forbidden('You may not see the revisions of this record.', 'rest_cannot_read');
  }

  private of({ id }: Parent): PostQuery {
    return new PostQuery(this.database, 'revision')
      .where(() => sql`p.post_parent = ${id}`)
      .where(() => sql`p.post_status = 'inherit'`);
  }

  private async show(
    rows: readonly PostRow[],
    parent: Parent,
    view: View,
    context: RequestContext,
  ): Promise<object[]> {
    const revisions = await this.posts.withMeta(rows);
    const [{ texts }, names] = await Promise.all([
      this.renderer.render(revisions, context),
      this.authors.namesOf(revisions.map(({ author }) => author)),
    ]);
    const text = viewedText(view);
    return revisions.map((revision) => {
      const { status: _status, type: _type, ...members } = leadingMembers(revision, view);
      const rendered = texts.get(revision.id);
      return {
        author: revision.author,
        author_name: names.get(revision.author) ?? '',
        ...members,
        parent: parent.id,
        title: text(revision.title, rendered?.title ?? ''),
        ...(view !== 'embed' && { content: text(revision.content, paragraphs(rendered?.description)) }),
        excerpt: text(revision.excerpt, paragraphs(rendered?.excerpt)),
        _links: { parent: [{ href: coreUrl(context, `${parent.type}/${parent.id}`) }] },
      };
    });
  }
}
