import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { nearest } from '../config/lookalike.js';
import { StartError } from '../database/start-error.js';
import { type HookKind, Hooks } from '../common/hooks/hooks.js';
import { queryHook } from '../wordpress/posts/post-visibility.js';
import { ContentTypes } from '../wordpress/types/content-types.js';
import { namedHooks } from './base/resource-hooks.js';
import { Resources } from './base/resources.js';

/** Defines all hook names once the resources are known, and throws `StartError` for a plugin hook that nothing calls. */
@Injectable()
export class HookNames implements OnApplicationBootstrap {
  constructor(
    private readonly hooks: Hooks,
    private readonly types: ContentTypes,
    private readonly resources: Resources,
  ) {}

  onApplicationBootstrap(): void {
    const types = [...this.types.postTypes.keys(), ...this.types.taxonomies.keys()];
    this.hooks.define('filter', ...types.map((type) => queryHook(type).name));
    for (const resource of this.resources.all()) {
      const own = namedHooks('taxonomy' in resource ? resource.taxonomy : resource.type);
      this.hooks.define('filter', own.preInsert.name, own.prepare.name);
      this.hooks.define('action', own.afterInsert.name, own.delete.name);
    }
    this.hooks.checkNames((name, kind) => this.check(name, kind));
  }

  private check(name: string, kind: HookKind): void {
    const { defined } = this.hooks;
    const known = defined.get(name);
    if (known === kind) return;
    if (known !== undefined)
      throw new StartError(`${name} is no ${kind} but ${known === 'filter' ? 'a filter' : 'an action'}.`);
    const names = [...defined].flatMap(([one, own]) => (own === kind ? [one] : [])).sort();
    const near = nearest(name, names);
    throw new StartError(
      `Nothing calls the ${kind} ${name}${near ? `: is it ${near}?` : `. There are ${names.join(', ')}.`}`,
    );
  }
}
