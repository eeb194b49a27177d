import { Injectable } from '@nestjs/common';
import { Expiring } from '../../cache/expiring.js';
import { Hooks } from '../../common/hooks/hooks.js';
import { FieldsService } from './fields.service.js';
import { maskProtected } from './member.js';
import type { LoadedPost, PostResource } from './resource.js';
import { postHooks } from './resource-hooks.js';
import { isLocked, type ResponseContext } from './response-context.js';

/**
 * Makes the JSON of a record by its resource's function, masks it if locked, and adds declared fields and the changes
 * of plugin filters.
 */
@Injectable()
export class PostPresenter {
  constructor(
    private readonly hooks: Hooks,
    private readonly fields: FieldsService,
  ) {}

  async present<Fields extends object, Json extends object, Loaded extends LoadedPost>(
    resource: PostResource<Fields, Json, Loaded>,
    loaded: Loaded,
    context: ResponseContext,
    options: { jsonLd: boolean },
  ): Promise<Expiring<Json>> {
    const { value: whole, expiresAt } = Expiring.of(resource.toJson(loaded, context, options));
    const locked = isLocked(loaded.post, context);
    const own = locked ? maskProtected(resource.json, whole) : whole;
    const declared = this.fields.valuesOf(resource, loaded.post.meta, context, locked);
    const json = declared ? { ...own, ...declared } : own;
    const { prepare } = postHooks(resource);
    const filtered = this.hooks.has(prepare)
      ? await this.hooks.applyRendered(prepare, json, { record: loaded, context })
      : json;
    return new Expiring(filtered, expiresAt);
  }
}
