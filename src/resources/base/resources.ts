import { Injectable, type OnModuleInit } from '@nestjs/common';
import { getMetadataArgsStorage } from 'typeorm';
import { StartError } from '../../database/start-error.js';
import { Post } from '../../wordpress/posts/post.entity.js';
import { TermTaxonomy } from '../../wordpress/terms/term.entity.js';
import { ContentTypes } from '../../wordpress/types/content-types.js';
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

/**
 * Throws `StartError` unless the entity extends the posts or terms entity under the resource's own name; otherwise
 * TypeORM would write another type or read columns that do not exist.
 */
function checkEntity(resource: Resource): void {
  const isTerm = resource.kind === 'term';
  const name = isTerm ? resource.taxonomy : resource.type;
  const base: new () => object = isTerm ? TermTaxonomy : Post;
  const { entity } = resource;
  const fault = entityError(entity, name, base);
  if (fault !== undefined)
    throw new StartError(
      `The entity ${entity?.name ?? entity} of /${resource.path} ${fault}: write @ChildEntity('${name}') class ${entity?.name ?? 'Name'} extends ${base.name} {}.`,
    );
}

function entityError(entity: unknown, name: string, base: new () => object): string | undefined {
  if (typeof entity !== 'function' || !(entity.prototype instanceof base)) return `is no ${base.name}`;
  const { tables, discriminatorValues, columns } = getMetadataArgsStorage();
  const table = tables.find(({ target }) => target === entity);
  if (table?.type !== 'entity-child') return 'has no @ChildEntity';
  const value = discriminatorValues.find(({ target }) => target === entity)?.value;
  if (value !== name) return `is @ChildEntity('${value}')`;
  const own = columns.filter(({ target }) => target === entity).map(({ propertyName }) => propertyName);
  return own.length > 0 ? `has columns (${own.join(', ')}) that the table does not have` : undefined;
}
