import { Injectable, type OnModuleInit } from '@nestjs/common';
import { StartError } from '../../database/start-error.js';
import { ContentTypes } from '../../wordpress/types/content-types.js';
import { checkEntity } from '../check-entity.js';
import { schemaName } from './json-schema.js';
import type { Resource } from './resource.js';

/** Every resource of this application: what its modules hand in by `ResourceModule.forFeature`. */
@Injectable()
export class Resources implements OnModuleInit {
  private readonly byPath = new Map<string, Resource>();

  constructor(private readonly types: ContentTypes) {}

  /** Adds a resource and its post type or taxonomy; throws `StartError` when another one has its path, schema or name. */
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

  /** Throws a `StartError` for a resource whose entity is not its own. */
  onModuleInit(): void {
    this.all().forEach(checkEntity);
  }

  all(): readonly Resource[] {
    return [...this.byPath.values()];
  }

  /** The resource whose routes begin with this segment. */
  at(path: string): Resource | undefined {
    return this.byPath.get(path);
  }
}
