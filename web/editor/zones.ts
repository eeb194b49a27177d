const OFFSETS = Array.from({ length: 27 }, (_, index) => index - 12)
  .filter((hours) => hours !== 0)
  .map((hours) => `UTC${hours < 0 ? hours : `+${hours}`}`);

/** Time zones as the browser names them, then UTC and whole offsets. */
export const ZONES: readonly (readonly [value: string, label: string])[] = [
  ...Intl.supportedValuesOf('timeZone')
    .filter((name) => name.includes('/') && !name.startsWith('Etc/'))
    .map((name) => [name, name.replaceAll('_', ' ')] as const),
  ['UTC', 'UTC'],
  ...OFFSETS.map((name) => [name, name] as const),
];
