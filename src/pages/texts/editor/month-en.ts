/** English texts of the editor's month. */
export const MONTH_EN = {
  previous: 'Previous month',
  next: 'Next month',
  today: 'Today',
  help: 'Drag an event to another day to move it. By keyboard: press M on it.',
  cut: 'This month has more events than it has room for.',
  marked: '{marks}: {title}',
  newOn: 'New event on {day}',
  more: 'one:+{n} more|other:+{n} more',
  showMore: 'one:Show {n} more event|other:Show {n} more events',
  allDay: 'All day',
  empty: 'No events in this month.',
};
