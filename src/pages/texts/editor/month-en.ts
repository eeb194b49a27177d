/** English texts of the editor's month. */
export const MONTH_EN = {
  changed: '{title} was changed by somebody else meanwhile, so nothing was moved.',
  skipped: '{title} was not moved: clocks in {zone} are set forward at that time.',
  moved: '{title} was moved to {time}.',
  undone: '{title} is back at {time}.',
};
