import { StartError } from '../database/start-error.js';
import type { Grant, Resource } from '../resources/base/resource.js';
import { calendarActions, isDefaultCapability } from '../setup/default-roles.js';

const ACTIONS: Readonly<Record<Grant, readonly string[]>> = {
  all: calendarActions('Editor'),
  own: calendarActions('Author'),
  drafts: calendarActions('Contributor'),
};

/** Capabilities by role that a resource grants. */
export interface Granted {
  /** The suffix of the capabilities of a post type, or the name of a taxonomy. */
  name: string;
  roles: ReadonlyMap<string, readonly string[]>;
}

/** The grants of all resources; throws a `StartError` for an invalid one, or one of capabilities of WordPress or the calendar. */
export function grantsOf(resources: readonly Resource[]): Granted[] {
  const owners = new Map<string, string>();
  return resources.flatMap((resource) => {
    const { grants, path } = resource;
    if (grants === undefined) return [];
    const name = resource.kind === 'term' ? resource.taxonomy : resource.capabilities;
    const other = owners.get(name);
    if (other !== undefined)
      throw new StartError(`Both /${other} and /${path} have grants of ${name}: leave those of one out.`);
    owners.set(name, path);
    for (const [role, grant] of Object.entries(grants))
      if (!Object.hasOwn(ACTIONS, grant))
        throw new StartError(
          `/${path} grants ${grant} to the role ${role}; it may be ${Object.keys(ACTIONS).join(', ')}.`,
        );
    const roles = Object.entries({ administrator: 'all', ...grants } as const);
    return [{ name, roles: new Map(roles.map(([role, grant]) => [role, ownCapabilities(resource, grant)])) }];
  });
}

function ownCapabilities(resource: Resource, grant: Grant): string[] {
  const all = capabilitiesOf(resource, grant);
  const own = all.filter((capability) => !isDefaultCapability(capability));
  if (own.length === 0)
    throw new StartError(
      `/${resource.path} grants ${all.join(', ')}, which roles have by WordPress or the calendar: give it capabilities of its own.`,
    );
  return own;
}

function capabilitiesOf(resource: Resource, grant: Grant): string[] {
  if (resource.kind === 'post') return ACTIONS[grant].map((action) => `${action}_${resource.capabilities}`);
  const { manage, assign } = resource.capabilities;
  return grant === 'all' ? [...new Set([...manage, assign])] : [assign];
}
