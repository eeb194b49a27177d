import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { RateLimiter } from '../auth/rate-limiter.js';
import { SharedRateLimiter } from '../cluster/shared-rate-limiter.js';
import { Clock } from '../common/clock.js';
import { Environment } from '../config/env.js';
import { StartError } from '../database/start-error.js';
import { PageTemplates } from '../pages/public/templates/page-templates.js';
import { ImageStore } from '../wordpress/media/image-store.js';
import { LocalImageStore } from '../wordpress/media/local-image-store.js';
import { S3Bucket } from '../wordpress/media/s3/s3-bucket.service.js';
import { S3ImageStore } from '../wordpress/media/s3/s3-image-store.js';
import { Renderer } from '../wordpress/rendering/renderer.service.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { classOf, listOf, nameOf, type Plugin } from './plugin.js';

const PARTS = [
  { provide: Clock, useClass: Clock },
  { provide: Renderer, useClass: Renderer },
  {
    provide: ImageStore,
    inject: [Environment, S3Bucket],
    useFactory: (env: Environment, bucket: S3Bucket) =>
      bucket.isConfigured ? new S3ImageStore(bucket) : new LocalImageStore(env),
  },
  { provide: PageTemplates, useClass: PageTemplates },
  { provide: RateLimiter, useClass: SharedRateLimiter },
];

/** Provides the parts that a plugin may replace, by their class. */
@Module({})
export class PartsModule {
  /** Uses the parts of plugins; throws a `StartError` for a part that cannot be replaced, or is replaced twice. */
  static forRoot(plugins: readonly Plugin[]): DynamicModule {
    const parts = new Map<unknown, { part: Provider; plugin?: string }>(
      PARTS.map((part) => [part.provide, { part }]),
    );
    const replacing = new Set<Plugin>();
    for (const [owner, plugin] of new Map(plugins.map((one) => [classOf(one), one]))) {
      for (const part of listOf(owner, 'replaces')) {
        const name = nameOf(part?.provide);
        const replaced = parts.get(part?.provide);
        if (!replaced)
          throw new StartError(
            `${owner.name} replaces ${name}; what can be replaced is ${PARTS.map(({ provide }) => provide.name).join(', ')}.`,
          );
        if (replaced.plugin !== undefined)
          throw new StartError(
            `Both ${replaced.plugin} and ${owner.name} replace ${name}: leave one of them out.`,
          );
        parts.set(part.provide, { part, plugin: owner.name });
        replacing.add(plugin);
      }
    }
    return {
      module: PartsModule,
      global: true,
      imports: [WordPressModule, ...replacing],
      providers: [...parts.values()].map(({ part }) => part),
      exports: PARTS.map(({ provide }) => provide),
    };
  }
}
