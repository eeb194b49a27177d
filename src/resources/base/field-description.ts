import { mapValues } from '../../common/map-values.js';
import type { DeclaredField, DeclaredValue, FieldType } from './declared-field.js';

/** A declared value as data. */
export interface ValueDescription extends Omit<DeclaredValue, 'checks' | 'to' | 'items' | 'properties'> {
  type: FieldType;
  /** Path of the resource that a reference names, such as `venues`. */
  to?: string;
  items?: ValueDescription;
  properties?: Readonly<Record<string, ValueDescription & { required?: boolean }>>;
}

/** A declared field as data, such as a form needs. */
export interface FieldDescription
  extends ValueDescription,
    Omit<DeclaredField, keyof DeclaredValue | 'description' | 'meta' | 'order'> {
  name: string;
  description: string;
  order: number;
}

/** Fields as data, in their order. */
export function describeFields(
  fields: Iterable<readonly [name: string, field: DeclaredField]>,
): FieldDescription[] {
  const described = [...fields].map(([name, { meta: _meta, description, order, ...field }], position) => ({
    ...describeValue(field),
    name,
    description,
    order: order ?? position,
  }));
  return described.sort((a, b) => a.order - b.order);
}

type Described<V> = Omit<V, keyof DeclaredValue> & ValueDescription;

function describeValue<V extends DeclaredValue>(declared: V): Described<V> {
  const { checks: _checks, to, items, properties, ...value } = declared;
  return {
    ...value,
    type: value.type ?? 'string',
    ...(to && { to: to.path }),
    ...(items && { items: describeValue(items) }),
    ...(properties && { properties: mapValues(properties, describeValue) }),
  } as Described<V>;
}
