import { type DynamicModule, type FactoryProvider, Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AllowedMethods } from '../../http/allowed-methods.js';
import { HttpModule } from '../../http/http.module.js';
import { ParameterClasses } from '../../http/params/check-context.js';
import { MediaModule } from '../../wordpress/media/media.module.js';
import { WordPressModule } from '../../wordpress/wordpress.module.js';
import { RecordCache } from '../record-cache/record-cache.service.js';
import type { DeclaredFields } from './declared-field.js';
import { FieldReferences } from './field-references.service.js';
import { FieldRegistry } from './field-registry.js';
import { FieldsService } from './fields.service.js';
import { NormalizedFormat } from './normalized-format.service.js';
import { PostResourceDeps } from './post-resource-deps.js';
import { RecordReaders } from './record-readers.service.js';
import { RelationsService } from './relations.service.js';
import type { PostResource, Relations, Resource } from './resource.js';
import { HookNames } from './resource-hooks.js';
import { ResourceMethods } from './resource-methods.service.js';
import { Resources } from './resources.js';
import { WriteHooks } from './write-hooks.service.js';

const SERVICES = [
  Resources,
  RecordReaders,
  FieldRegistry,
  FieldReferences,
  FieldsService,
  NormalizedFormat,
  RecordCache,
  RelationsService,
  WriteHooks,
  PostResourceDeps,
];

/** The registry of resources and the services that all of them share. */
@Global()
@Module({
  imports: [DiscoveryModule, HttpModule, WordPressModule, MediaModule],
  providers: [
    ...SERVICES,
    HookNames,
    { provide: AllowedMethods, useClass: ResourceMethods },
    { provide: ParameterClasses, useExisting: FieldRegistry },
  ],
  exports: [...SERVICES, AllowedMethods, ParameterClasses],
})
export class ResourcesModule {}

/** The module that a resource's module imports: `ResourceModule.forFeature(VENUE)` registers it and its entity. */
@Module({})
export class ResourceModule {
  static forFeature(resource: Resource): DynamicModule {
    const own = 'relations' in resource ? resource.relations : undefined;
    return {
      module: ResourceModule,
      // `Resources` reports a missing entity at start.
      imports: resource.entity ? [TypeOrmModule.forFeature([resource.entity])] : [],
      providers: [
        {
          provide: `resource ${resource.path}`,
          inject: [Resources],
          useFactory: (resources: Resources) => resources.add(resource),
        },
        ...(own && resource.kind === 'post' ? [relationsProvider(resource, own)] : []),
      ],
    };
  }

  /** The import with which a plugin's module adds fields to a resource: `ResourceModule.withFields(EVENT, { dress_code: … })`. */
  static withFields(resource: Resource, fields: DeclaredFields): DynamicModule {
    return {
      module: ResourceModule,
      providers: [
        {
          provide: `fields ${resource.path}: ${Object.keys(fields).join()}`,
          inject: [FieldRegistry],
          useFactory: (registry: FieldRegistry) => registry.add(resource, fields),
        },
      ],
    };
  }

  /** The import with which a plugin's module adds relations to a resource, such as to itself. */
  static withRelations(resource: PostResource, relations: Relations): DynamicModule {
    return { module: ResourceModule, providers: [relationsProvider(resource, relations)] };
  }
}

const relationsProvider = (resource: PostResource, relations: Relations): FactoryProvider => ({
  provide: `relations ${resource.path}: ${Object.keys(relations).join()}`,
  inject: [RelationsService],
  useFactory: (all: RelationsService) => all.add(resource, relations),
});
