import { Injectable, type OnModuleInit } from '@nestjs/common';
import { StartError } from '../../database/start-error.js';
import { ContentTypes } from '../../wordpress/types/content-types.js';
import { checkEntity } from '../check-entity.js';
import { schemaName } from './json-schema.js';
import type { Resource } from './resource.js';

/** The registry of all resources that modules add by `ResourceModule.forFeature`. */
@Injectable()
export class Resources implements OnModuleInit {
  private readonly byPath = new Map<string, Resource>();

  constructor(private readonly types: ContentTypes) {}

  /** Adds a resource and its post type or taxonomy; throws `StartError` if its path, schema or name is taken. */
  add(resource: Resource): Resource {
    const { path, json } = resource;
    if ((this.byPath.get(path) ?? resource) !== resource)
      throw new StartError(`Two resources want the path /${path}.`);
    const isTaken = this.all().some((one) => one.json !== json && schemaName(one.json) === schemaName(json));
    if (isTaken) throw new StartError(`Two resources want the schema ${schemaName(json)}.`);
    this.types.add(resource);
    this.byPath.set(path, resource);
    return resource;
  }

  /** Throws `StartError` for a resource with a wrong entity. */
  onModuleInit(): void {
    this.all().forEach(checkEntity);
  }

  all(): readonly Resource[] {
    return [...this.byPath.values()];
  }

  /** The resource at the first segment of a path. */
  at(path: string): Resource | undefined {
    return this.byPath.get(path);
  }
}
