import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { Database } from '../database/database.js';
import { notAllowed, Refusal } from '../errors/refusal.js';
import type { RequestContext } from '../http/request-context.js';
import { isHiddenParent } from '../wordpress/media/attachment-visibility.js';
import { PostVisibility } from '../wordpress/posts/post-visibility.js';
import type { PostRecord } from '../wordpress/posts/post-record.js';
import { PostsService } from '../wordpress/posts/posts.service.js';
import { Renderer } from '../wordpress/rendering/renderer.service.js';
import type { CoreQuery } from './core-routes.dto.js';
import { type MediaStatuses, toMediaResponse } from './media.response.js';

/** Reads uploaded files: those that galleries show to this reader (R15), and what the reader may edit. */
@Injectable()
export class MediaService {
  constructor(
    private readonly database: Database,
    private readonly posts: PostsService,
    private readonly visibility: PostVisibility,
    private readonly renderer: Renderer,
  ) {}

  async get(id: number, { context: view }: CoreQuery, context: RequestContext) {
    const file = await this.posts.find(id);
    if (file?.type !== 'attachment')
      throw new Refusal('missing', 'rest_post_invalid_id', 'There is no file with this id.');
    const parent = file.parent > 0 ? await this.posts.find(file.parent) : null;
    const mayEdit = context.access.may('edit', file);
    if (view === 'edit' && !mayEdit)
      throw notAllowed('You may not see this with context=edit.', 'rest_forbidden_context');
    if (!mayEdit && !(await this.isShown(file, parent, context)))
      throw notAllowed('You may not see this file.');
    const { texts } = await this.renderer.render([file], context);
    const shown = { file, parent, texts: texts.get(id), statuses: await this.statusesOf(id) };
    return toMediaResponse(shown, view, context);
  }

  private async isShown(
    file: PostRecord,
    parent: PostRecord | null,
    context: RequestContext,
  ): Promise<boolean> {
    if (file.status !== 'inherit' || file.password !== '') return false;
    if (!parent) return true;
    if (isHiddenParent(parent, context.access)) return false;
    return (await this.visibility.of([parent], context)).length > 0;
  }

  /** Columns that nothing else shows. */
  private async statusesOf(id: number): Promise<MediaStatuses | undefined> {
    const [row] = await this.database.query<MediaStatuses>(
      sql`SELECT p.comment_status AS comments, p.ping_status AS pings FROM ${this.database.table('posts')} p WHERE p.ID = ${id}`,
    );
    return row;
  }
}
