/** Whether an output shows colors: terminals do, others with `FORCE_COLOR`; none does with `NO_COLOR`. */
export function hasColors(isTerminal: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (NO_COLOR) return false;
  return FORCE_COLOR === undefined || FORCE_COLOR === '' ? isTerminal : !/^(0|false)$/.test(FORCE_COLOR);
}
