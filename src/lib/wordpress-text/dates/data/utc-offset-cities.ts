/** Offsets from UTC in hours with the zone that PHP guesses for them, as recorded (timezone_strings). */
const CITIES = `
  -11 Pacific/Apia, -10.5 Pacific/Honolulu, -10 Pacific/Honolulu, -9 America/Anchorage, -8 America/Los_Angeles,
  -7 America/Denver, -6 America/Chicago, -5 America/New_York, -4.5 America/Caracas, -4 America/Halifax,
  -3.5 America/St_Johns, -3 America/Sao_Paulo, -1 Atlantic/Azores, 0 Europe/London, 1 Europe/Paris,
  1.5 Africa/Johannesburg, 2 Europe/Helsinki, 3 Europe/Moscow, 4 Asia/Dubai, 5 Asia/Karachi, 5.5 Asia/Kolkata,
  5.75 Asia/Katmandu, 7 Asia/Krasnoyarsk, 8 Asia/Shanghai, 8.5 Asia/Hong_Kong, 9 Asia/Tokyo,
  9.5 Australia/Adelaide, 10 Australia/Melbourne, 11.5 Pacific/Auckland, 12 Pacific/Auckland`;

/** The zone that stands for an offset from UTC in hours; any other offset is UTC. */
export const UTC_OFFSET_CITIES: ReadonlyMap<number, string> = new Map(
  CITIES.trim()
    .split(/,\s+/)
    .map((entry) => {
      const [hours, city = ''] = entry.split(' ');
      return [Number(hours), city];
    }),
);
