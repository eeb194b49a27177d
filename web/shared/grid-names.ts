// What screen readers read of the tables that FullCalendar draws.

/** A label that says less than what is inside hides that from screen readers: days are named by what they hold. */
export function nameByContent(day: HTMLElement): void {
  day.removeAttribute('aria-label');
  for (const hidden of day.querySelectorAll('[aria-hidden]:not(.ev-number)'))
    hidden.removeAttribute('aria-hidden');
}

/** A label alone does not make a header. */
export function dropEmptyHeaders(view: HTMLElement): void {
  for (const empty of view.querySelectorAll('[role="rowheader"]:empty')) {
    empty.setAttribute('role', 'presentation');
    empty.removeAttribute('aria-label');
  }
}
