import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timeZoneLines } from '../../src/lib/ical/write-time-zone.js';
import { abbreviationAt } from '../../src/lib/wordpress-text/dates/abbreviation.js';
import { fromUtc, toUtc } from '../../src/lib/wordpress-text/dates/convert.js';
import { readZoneData, useZoneData, zoneDataInUse } from '../../src/lib/wordpress-text/dates/zone-data.js';
import { parsePosixZone, parseZoneFile, posixOffset } from '../../src/lib/wordpress-text/dates/zone-file.js';
import { ianaOffset, runtimeZones } from '../../src/lib/wordpress-text/dates/zone-offsets.js';
import { findZone } from '../../src/lib/wordpress-text/dates/zones.js';
import { wallClock, zoneText } from '../../src/pages/calendar/shown-time.js';
import { testFolder } from '../support/test-folder.js';

const FOLDER = join(__dirname, '..', 'fixtures', 'zoneinfo');
const [OLD, NEW] = ['2025b', '2026f'].map((version) => join(FOLDER, version)) as [string, string];
const HOUR = 3600;
const epoch = (utc: string) => Date.parse(`${utc.replace(' ', 'T')}Z`) / 1000;

describe('time zone data of a folder', () => {
  afterEach(() => void useZoneData());

  it('has Node’s offsets, for zones whose rules have not changed since 1970', () => {
    const data = readZoneData(NEW);
    const different: string[] = [];
    for (const zone of ['Europe/London', 'Europe/Berlin'])
      for (let at = 0; at < epoch('2440-01-01 00:00:00'); at += 11 * 86_400 + 1234)
        if (data?.zones.offsetAt(zone, at) !== runtimeZones.offsetAt(zone, at))
          different.push(`${zone} ${at}`);
    expect(different).toEqual([]);
    const before = epoch('2027-03-28 00:59:59');
    expect([before, before + 1].map((at) => data?.zones.offsetAt('Europe/Berlin', at))).toEqual([
      HOUR,
      2 * HOUR,
    ]);
  });

  it('is used by every conversion once configured', () => {
    expect(useZoneData(OLD)).toBe(true);
    expect(toUtc('2026-12-15 19:00:00', 'America/Vancouver')).toBe('2026-12-16 03:00:00');
    expect(useZoneData(NEW)).toBe(true);
    expect(zoneDataInUse()).toMatchObject({ version: '2026f', folder: NEW });
    expect(toUtc('2026-12-15 19:00:00', 'America/Vancouver')).toBe('2026-12-16 02:00:00');
    expect(toUtc('2026-02-15 19:00:00', 'America/Vancouver')).toBe('2026-02-16 03:00:00');
    expect(toUtc('2326-02-15 19:00:00', 'america/vancouver')).toBe('2326-02-16 02:00:00');
    expect(fromUtc('2026-12-16 02:00:00', 'America/Vancouver')).toBe('2026-12-15 19:00:00');
    expect(abbreviationAt('2026-12-15 19:00:00', 'America/Vancouver')).toBe('MST');
    expect(abbreviationAt('2026-02-15 19:00:00', 'America/Vancouver')).toBe('PST');
    expect(wallClock('2026-12-16 02:00:00', 'America/Vancouver')).toBe('2026-12-15 19:00:00');
    expect(zoneText('America/Vancouver', '2026-12-16 02:00:00', 'en')).not.toMatch(/PST|8/);
    expect(zoneText('Europe/Berlin', '2026-12-16 02:00:00', 'en')).toBe('GMT+1');
    // A zone that the folder does not have is Node's.
    expect(toUtc('2026-12-15 19:00:00', 'Asia/Tokyo')).toBe('2026-12-15 10:00:00');
  });

  it('is used for the zones of calendar files', () => {
    useZoneData(OLD);
    expect(timeZoneLines('America/Vancouver', [2026]).match(/TZOFFSETTO:\S*/g)).toEqual([
      'TZOFFSETTO:-0800',
      'TZOFFSETTO:-0700',
      'TZOFFSETTO:-0800',
    ]);
    useZoneData(NEW);
    expect(timeZoneLines('America/Vancouver', [2026, 2027]).match(/TZOFFSETTO:\S*/g)).toEqual([
      'TZOFFSETTO:-0800',
      'TZOFFSETTO:-0700',
    ]);
  });

  it('adds the names of zones that Almanac does not know yet', () => {
    const folder = join(testFolder(), 'zones');
    for (const [name, from] of [
      ['Europe/London', 'Europe/London'],
      ['Europe/Newtown', 'Europe/Berlin'],
    ] as const) {
      mkdirSync(join(folder, 'Europe'), { recursive: true });
      writeFileSync(join(folder, name), readFileSync(join(NEW, from)));
    }
    writeFileSync(
      join(folder, 'tzdata.zi'),
      '# version 2099z\nZ Europe/London 0 - GMT\nL Europe/London Europe/Newtown\n',
    );
    expect(findZone('Europe/Newtown')).toBeUndefined();
    expect(useZoneData(folder)).toBe(true);
    expect(zoneDataInUse().version).toBe('2099z');
    expect(findZone('europe/newtown')).toEqual({ kind: 'iana', name: 'Europe/Newtown', offset: 0 });
    expect(ianaOffset('Europe/Newtown', epoch('2027-01-01 00:00:00'))).toBe(HOUR);
  });

  it('leaves the previous data in use where a folder contains no zone files', () => {
    useZoneData(NEW);
    const folder = join(testFolder(), 'no-zones');
    mkdirSync(join(folder, 'Europe'), { recursive: true });
    for (const content of [undefined, 'London', 'TZif2', '']) {
      if (content !== undefined) writeFileSync(join(folder, 'Europe', 'London'), content);
      expect(useZoneData(folder)).toBe(false);
    }
    expect(useZoneData('/no/such/folder')).toBe(false);
    expect(zoneDataInUse().version).toBe('2026f');
    expect(readZoneData(NEW)?.zones.offsetAt('../2025b/Europe/London', 0)).toBeUndefined();
  });
});

describe('a zone file', () => {
  it('is rejected when truncated at any byte', () => {
    const whole = readFileSync(join(NEW, 'America/Vancouver'));
    const read = Array.from({ length: whole.length }, (_, length) =>
      parseZoneFile(whole.subarray(0, length)),
    );
    expect(new Set(read)).toEqual(new Set([undefined]));
    expect(parseZoneFile(whole)?.(epoch('2026-12-01 00:00:00'), epoch('2027-12-01 00:00:00'))).toEqual([
      { at: epoch('2026-12-01 00:00:00'), offset: -25_200, name: 'MST' },
    ]);
  });
});

describe('the rules after the last change', () => {
  const offsets = (text: string, ...moments: string[]) => {
    const zone = parsePosixZone(text);
    return zone && moments.map((moment) => posixOffset(zone, epoch(moment)).offset / HOUR);
  };

  it('apply in the north, in the south, and where summer time is below standard time', () => {
    expect(
      offsets('PST8PDT,M3.2.0,M11.1.0', '2050-03-13 09:59:59', '2050-03-13 10:00:00', '2050-11-06 09:00:00'),
    ).toEqual([-8, -7, -8]);
    expect(offsets('AEST-10AEDT,M10.1.0,M4.1.0/3', '2050-01-01 00:00:00', '2050-07-01 00:00:00')).toEqual([
      11, 10,
    ]);
    expect(offsets('IST-1GMT0,M10.5.0,M3.5.0/1', '2050-01-01 00:00:00', '2050-07-01 00:00:00')).toEqual([
      0, 1,
    ]);
    expect(offsets('<-02>2<-01>,M3.5.0/-1,M10.5.0/0', '2050-03-27 00:59:59', '2050-03-27 01:00:00')).toEqual([
      -2, -1,
    ]);
    expect(
      offsets('<+0330>-3:30<+0430>,J79/24,J263/24', '2050-03-20 20:29:59', '2050-03-20 20:30:00'),
    ).toEqual([3.5, 4.5]);
    expect(offsets('XXX3YYY,59/0,300/0', '2048-02-29 02:59:59', '2048-02-29 03:00:00')).toEqual([-3, -2]);
    expect(offsets('MST7', '2050-01-01 00:00:00')).toEqual([-7]);
  });

  it('are not derived from invalid texts', () => {
    for (const text of ['', 'PST', 'PST8PDT', 'PST8PDT,M3.2.0', ':Europe/Berlin', 'P8'])
      expect(offsets(text, '2050-01-01 00:00:00')).toBeUndefined();
  });
});
