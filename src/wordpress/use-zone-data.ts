import type { Environment } from '../config/env.js';
import { StartError } from '../database/start-error.js';
import {
  readZoneData,
  useZoneData,
  type ZoneData,
  zoneDataInUse,
} from '../lib/wordpress-text/dates/zone-data.js';

/** Makes this thread use the configured time zone data; throws `StartError` if there are none. */
export function useConfiguredZoneData({ tzdata }: Pick<Environment, 'tzdata'>): void {
  if (!useZoneData(tzdata))
    throw new StartError(
      `TZDATA names ${tzdata}, which holds no time zone files as zic compiles them (Europe/London and so on), such as /usr/share/zoneinfo does.`,
    );
}

/** The data in use, and the system's data if different. */
export function zoneDataAround({ systemTzdata }: Pick<Environment, 'systemTzdata'>): {
  ours: ZoneData;
  system?: ZoneData;
} {
  const ours = zoneDataInUse();
  return { ours, system: ours.folder === systemTzdata ? undefined : readZoneData(systemTzdata) };
}

/** Whether the system's data are newer than those in use. */
export function isSystemNewer({ ours, system }: ReturnType<typeof zoneDataAround>): boolean {
  return system?.version !== undefined && ours.version !== undefined && system.version > ours.version;
}

/** The display name of the data: `2025c (of Node)`, `2026b (/usr/share/zoneinfo)`. */
export function zoneDataName({ version = 'of an unknown version', folder }: ZoneData): string {
  return `${version} (${folder ?? 'of Node'})`;
}

/** Advice for using current data. */
export function zoneDataAdvice(around: ReturnType<typeof zoneDataAround>): string {
  const folder = isSystemNewer(around) ? around.system?.folder : undefined;
  return folder === undefined
    ? 'Update the package tzdata of this system and set TZDATA to its folder, such as /usr/share/zoneinfo, or run a newer version of Node.'
    : `Set TZDATA=${folder}, where this system has ${around.system?.version}.`;
}
