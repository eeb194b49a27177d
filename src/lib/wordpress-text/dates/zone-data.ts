import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addZoneNames } from './find-zone.js';
import { parseZoneFile } from './zone-file.js';
import { type ReadTransitions, runtimeZone, runtimeZones, useZones, ZoneOffsets } from './zone-offsets.js';

/** One version of the time zone data. */
export interface ZoneData {
  /** Such as `2026b`; undefined where the data do not say. */
  version?: string;
  /** The folder of zone files; undefined for those of Node. */
  folder?: string;
  zones: ZoneOffsets;
}

const NAME = /^[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+)*$/;
const VERSION = /(\d{4}[a-z]{1,2})/;

/** The data that Node has. */
export const RUNTIME_ZONE_DATA: ZoneData = { version: process.versions['tz'], zones: runtimeZones };

let inUse = RUNTIME_ZONE_DATA;

/** The data that conversions use. */
export function zoneDataInUse(): ZoneData {
  return inUse;
}

/**
 * Lets every conversion use the data of a folder of zone files, such as `/usr/share/zoneinfo`, without one those of Node; zones that
 * the folder lacks stay Node's. False, and nothing changes, where it holds none.
 */
export function useZoneData(folder?: string): boolean {
  const data = folder === undefined ? RUNTIME_ZONE_DATA : readZoneData(folder);
  if (!data) return false;
  inUse = data;
  useZones(data.zones);
  if (folder !== undefined) addZoneNames(namesIn(folder));
  return true;
}

/** The data of a folder; undefined where it holds no zone files. */
export function readZoneData(folder: string): ZoneData | undefined {
  if (!zoneIn(folder, 'Europe/London')) return undefined;
  const zones = new ZoneOffsets((name) => zoneIn(folder, name) ?? runtimeZone(name));
  return { folder, version: versionOf(folder), zones };
}

function zoneIn(folder: string, name: string): ReadTransitions | undefined {
  if (!NAME.test(name)) return undefined;
  try {
    return parseZoneFile(readFileSync(join(folder, name)));
  } catch {
    return undefined;
  }
}

/** As Linux distributions say it, or as macOS and the BSDs do. */
function versionOf(folder: string): string | undefined {
  const [, listed] = /^# version (\S+)/.exec(textOf(folder, 'tzdata.zi')) ?? [];
  return VERSION.exec(listed ?? textOf(folder, '+VERSION'))?.[1];
}

/** Names of zones and of links to them that the folder's own list has. */
function namesIn(folder: string): string[] {
  const lines = textOf(folder, 'tzdata.zi').matchAll(/^(?:Z|L \S+) (\S+)/gm);
  const isKnown = (name: string) => NAME.test(name) && (zoneIn(folder, name) ?? runtimeZone(name));
  return [...lines].flatMap(([, name = '']) => (isKnown(name) ? [name] : []));
}

function textOf(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return '';
  }
}
