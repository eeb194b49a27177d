/** On which day weeks begin on a site, from 0, Sunday, to 6; Monday if the option is not valid. */
export function firstDayOf(options: ReadonlyMap<string, string>): number {
  return Number(/^[0-6]$/.exec(options.get('start_of_week') ?? '')?.[0] ?? 1);
}
