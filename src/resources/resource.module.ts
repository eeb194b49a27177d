import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AllowedMethods } from '../http/allowed-methods.js';
import { MediaModule } from '../wordpress/media/media.module.js';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { PostPresenter } from './post-presenter.js';
import { PostResourceTools } from './post-resource-tools.js';
import type { Resource } from './resource.js';
import { ResourceMethods } from './resource-methods.service.js';
import { Resources } from './resources.js';

/** The registry of resources, and what is answered by it alone. */
@Global()
@Module({
  imports: [WordPressModule, MediaModule],
  providers: [
    Resources,
    PostPresenter,
    PostResourceTools,
    { provide: AllowedMethods, useClass: ResourceMethods },
  ],
  exports: [Resources, PostPresenter, PostResourceTools, AllowedMethods],
})
export class ResourcesModule {}

/** What the module of a resource imports: `ResourceModule.forFeature(VENUE)` registers it and its entity. */
@Module({})
export class ResourceModule {
  static forFeature(resource: Resource): DynamicModule {
    return {
      module: ResourceModule,
      imports: [TypeOrmModule.forFeature([resource.entity])],
      providers: [
        {
          provide: `resource ${resource.path}`,
          inject: [Resources],
          useFactory: (resources: Resources) => resources.add(resource),
        },
      ],
    };
  }
}
