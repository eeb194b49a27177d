import { getMetadataArgsStorage } from 'typeorm';
import { StartError } from '../database/start-error.js';
import { Post } from '../wordpress/posts/post.entity.js';
import { TermTaxonomy } from '../wordpress/terms/term.entity.js';
import type { Resource } from './base/resource.js';

/**
 * Throws `StartError` unless the entity extends the posts or terms entity under the resource's own name; otherwise
 * TypeORM would write another type or read columns that do not exist.
 */
export function checkEntity(resource: Resource): void {
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
