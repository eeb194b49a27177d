/** The times of an entry of a calendar file or feed, and its modification time. */
export const TIMES = {
  allDay: false,
  start: '2027-03-10 19:00:00',
  end: '2027-03-10 21:30:00',
  utcStart: '2027-03-10 18:00:00',
  utcEnd: '2027-03-10 20:30:00',
  zone: 'Europe/Berlin',
  createdUtc: '2027-01-01 10:00:00',
  modifiedUtc: '2027-01-02 10:00:00',
};
