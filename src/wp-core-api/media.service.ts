import { Injectable } from '@nestjs/common';
import { forbidden, RestException } from '../common/errors/rest-exception.js';
import { Hooks } from '../common/hooks/hooks.js';
import { Database } from '../database/database.js';
import { coreUrl } from '../http/core-links.js';
import type { RequestContext } from '../http/request-context.js';
import { withEntityTag } from '../http/safe-writes/entity-tag.js';
import { postTag } from '../resources/base/record-tag.js';
import { isHiddenParent } from '../wordpress/media/attachments.service.js';
import type { PostQuery } from '../wordpress/posts/post-query.js';
import type { PostRecord } from '../wordpress/posts/post-record.js';
import { PostVisibility, queryHook } from '../wordpress/posts/post-visibility.js';
import { PostsService } from '../wordpress/posts/posts.service.js';
import { Renderer } from '../wordpress/rendering/renderer.service.js';
import { forbiddenContext, withCorePageHeaders } from './core-response.js';
import type { CoreQuery, View } from './list.dto.js';
import type { ListMediaQuery } from './media.dto.js';
import { mediaQuery, type VisiblePosts } from './media.query.js';
import { toMediaResponse } from './media.response.js';
import { discussionOf, readPage } from './post-list.query.js';

/** Reads files that are visible to this reader (R15) or that the reader may edit. */
@Injectable()
export class MediaService {
  constructor(
    private readonly database: Database,
    private readonly posts: PostsService,
    private readonly visibility: PostVisibility,
    private readonly renderer: Renderer,
    private readonly hooks: Hooks,
  ) {}

  async get(id: number, { context: view }: CoreQuery, context: RequestContext) {
    const file = await this.posts.find(id);
    if (file?.type !== 'attachment')
      throw new RestException('not_found', 'rest_post_invalid_id', 'There is no file with this id.');
    const parent = file.parent > 0 ? await this.posts.find(file.parent) : null;
    const mayEdit = context.access.may('edit', file);
    if (view === 'edit' && !mayEdit) throw forbiddenContext();
    if (!mayEdit && !(await this.isVisible(file, parent, context)))
      throw forbidden('You may not see this file.');
    const tag = mayEdit ? await postTag(this.database, file) : undefined;
    const [rendered = {}] = await this.show([file], parent ? [parent] : [], view, context);
    return withEntityTag(rendered, tag);
  }

  /** A page of files; `context=edit` requires the right to upload. */
  async list(query: ListMediaQuery, context: RequestContext) {
    const { page, context: view } = query;
    if (view === 'edit' && !context.access.can('upload_files'))
      throw forbidden('You may not list files with context=edit.', 'rest_forbidden_context');
    const listQuery = mediaQuery(this.database, query, context, await this.visiblePosts(context));
    const list = await this.hooks.apply(queryHook('attachment'), listQuery, { query, context });
    const { rows, total } = await readPage(list, page);
    const parents = [...new Set(rows.map(({ parent }) => parent))].filter((id) => id > 0);
    const [files, loaded] = await Promise.all([this.posts.withMeta(rows), this.posts.load(parents)]);
    const body = await this.show(files, loaded, view, context);
    return withCorePageHeaders(body, { url: coreUrl(context, 'media'), query, total });
  }

  private async show(
    files: readonly PostRecord[],
    parents: readonly PostRecord[],
    view: View,
    context: RequestContext,
  ) {
    const { texts } = await this.renderer.render(files, context);
    const discussions = await discussionOf(
      this.database,
      files.map(({ id }) => id),
    );
    const parentsById = new Map(parents.map((parent) => [parent.id, parent]));
    return files.map((file) => {
      const parent = parentsById.get(file.parent) ?? null;
      const loaded = { file, parent, texts: texts.get(file.id), discussion: discussions.get(file.id) };
      return toMediaResponse(loaded, view, context);
    });
  }

  private async visiblePosts(context: RequestContext): Promise<VisiblePosts> {
    const queries = new Map<string, PostQuery>();
    for (const type of context.access.types.postTypes.keys()) {
      const visible = await this.visibility.query(type, context);
      if (visible) queries.set(type, visible);
    }
    return queries;
  }

  private async isVisible(
    file: PostRecord,
    parent: PostRecord | null,
    context: RequestContext,
  ): Promise<boolean> {
    if (file.status !== 'inherit' || file.password !== '') return false;
    if (parent && isHiddenParent(parent, context.access)) return false;
    const both = parent ? [file, parent] : [file];
    return (await this.visibility.of(both, context)).length === both.length;
  }
}
