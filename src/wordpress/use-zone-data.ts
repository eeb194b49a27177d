import type { Environment } from '../config/env.js';
import { StartError } from '../database/start-error.js';
import {
  readZoneData,
  useZoneData,
  type ZoneData,
  zoneDataInUse,
} from '../lib/wordpress-text/dates/zone-data.js';

/** Lets every conversion of this thread use the time zone data that the configuration names; a `StartError` where there are none. */
export function useConfiguredZoneData({ tzdata }: Pick<Environment, 'tzdata'>): void {
  if (!useZoneData(tzdata))
    throw new StartError(
      `TZDATA names ${tzdata}, which holds no time zone files as zic compiles them (Europe/London and so on), such as /usr/share/zoneinfo does.`,
    );
}

/** The data in use, and those of this system where they are others. */
export function zoneDataAround({ systemTzdata }: Pick<Environment, 'systemTzdata'>): {
  ours: ZoneData;
  system?: ZoneData;
} {
  const ours = zoneDataInUse();
  return { ours, system: ours.folder === systemTzdata ? undefined : readZoneData(systemTzdata) };
}

/** Whether the system's data are of a later version than those in use. */
export function isSystemNewer({ ours, system }: ReturnType<typeof zoneDataAround>): boolean {
  return system?.version !== undefined && ours.version !== undefined && system.version > ours.version;
}

/** How the data are named: `2025c (of Node)`, `2026b (/usr/share/zoneinfo)`. */
export function zoneDataName({ version = 'of an unknown version', folder }: ZoneData): string {
  return `${version} (${folder ?? 'of Node'})`;
}

/** What lets Almanac use the right data. */
export function zoneDataAdvice(around: ReturnType<typeof zoneDataAround>): string {
  const folder = isSystemNewer(around) ? around.system?.folder : undefined;
  return folder === undefined
    ? 'Update the package tzdata of this system and set TZDATA to its folder, such as /usr/share/zoneinfo, or run a newer version of Node.'
    : `Set TZDATA=${folder}, where this system has ${around.system?.version}.`;
}
