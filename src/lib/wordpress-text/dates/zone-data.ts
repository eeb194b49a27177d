import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseZoneFile } from './zone-file.js';
import { type ReadTransitions, runtimeZone, runtimeZones, useZones, ZoneOffsets } from './zone-offsets.js';
import { addZoneNames } from './zones.js';

export interface ZoneData {
  /** Such as `2026b`; undefined where unknown. */
  version?: string;
  /** The folder of zone files; undefined for Node's own data. */
  folder?: string;
  zones: ZoneOffsets;
}

const NAME = /^[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+)*$/;
const VERSION = /(\d{4}[a-z]{1,2})/;

const RUNTIME_ZONE_DATA: ZoneData = { version: process.versions['tz'], zones: runtimeZones };

let inUse = RUNTIME_ZONE_DATA;

/** The data used by conversions. */
export function zoneDataInUse(): ZoneData {
  return inUse;
}

/** Makes conversions use a folder of zone files, else Node's data; false if it holds none. */
export function useZoneData(folder?: string): boolean {
  const data = folder === undefined ? RUNTIME_ZONE_DATA : readZoneData(folder);
  if (!data) return false;
  inUse = data;
  useZones(data.zones);
  if (folder !== undefined) addZoneNames(namesIn(folder));
  return true;
}

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

/** The version, from `tzdata.zi` (Linux) or `+VERSION` (macOS, BSD). */
function versionOf(folder: string): string | undefined {
  const [, listed] = /^# version (\S+)/.exec(textOf(folder, 'tzdata.zi')) ?? [];
  return VERSION.exec(listed ?? textOf(folder, '+VERSION'))?.[1];
}

/** The names of zones and links in the folder's `tzdata.zi`. */
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
