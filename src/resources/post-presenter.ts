import { Injectable } from '@nestjs/common';
import { Hooks } from '../hooks/hooks.js';
import type { PostResource, ShownPost } from './resource.js';
import { postHooks } from './resource-hooks.js';
import type { ResponseContext } from './response-context.js';

/** Shows records: by their resource's own function, then as plugins change it. */
@Injectable()
export class PostPresenter {
  constructor(private readonly hooks: Hooks) {}

  async present<Fields, Json extends object, Shown extends ShownPost>(
    resource: PostResource<Fields, Json, Shown>,
    shown: Shown,
    context: ResponseContext,
    options: { jsonLd: boolean },
  ): Promise<Json> {
    const json = resource.toJson(shown, context, options);
    return this.hooks.apply(postHooks(resource).prepare, json, { shown, context });
  }
}
