import '../support/editor-document.js';
import {
  check,
  mendedEnd,
  wallClock,
  withExistingTimes,
  withScheme,
  withUsualEnd,
} from '../../web/editor/checks.js';
import { bodyOf, type Field, type Values } from '../../web/editor/model.js';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const FIELDS: readonly Field[] = [
  { name: 'title', label: 'Title', kind: 'text', required: true },
  { name: 'all_day', label: 'All day', kind: 'flag' },
  { name: 'start_date', label: 'Start', kind: 'moment', required: true },
  { name: 'end_date', label: 'End', kind: 'moment', required: true },
  { name: 'timezone', label: 'Zone', kind: 'zone' },
  { name: 'website', label: 'Website', kind: 'text', type: 'url' },
  { name: 'image', label: 'Image', kind: 'image' },
  { name: 'author', label: 'Author', kind: 'text', type: 'number', keeps: true },
  { name: 'email', label: 'E-mail', kind: 'text', type: 'email' },
  { name: 'venue', label: 'Venue', kind: 'choices', of: 'venues', many: true },
];
const GOOD: Values = {
  title: 'Tea',
  all_day: false,
  start_date: '2026-07-01T10:00',
  end_date: '2026-07-01T12:00',
  timezone: 'Europe/Berlin',
  website: '',
  image: '',
  author: '1',
  email: '',
  venue: [],
};
const found = (changes: Values, before?: Values) => check(FIELDS, { ...GOOD, ...changes }, before, NOW);

describe('the checks of the editor before it sends', () => {
  it('accept valid input', () => {
    expect(found({})).toEqual({ errors: {}, warnings: {} });
    const rights: Values[] = [
      { end_date: '2026-07-01T10:00' },
      { all_day: true, start_date: '2026-07-01T', end_date: '2026-07-01T' },
      { website: 'https://example.org/a?b=c#d', image: 'http://example.org/a.jpg' },
      { image: '12', timezone: 'UTC+2' },
      { website: 'example.org', timezone: 'Asia/Kolkata' },
      { website: 'example.org:8080/a', timezone: 'Europe/Kyiv' },
      { start_date: '2027-03-28T01:59', end_date: '2027-03-28T03:00' },
      { start_date: '2027-10-31T02:30', end_date: '2027-10-31T02:45' },
    ];
    for (const right of rights) expect(found(right)).toEqual({ errors: {}, warnings: {} });
  });

  it.each<[Values, string]>([
    [{ title: ' ' }, 'title'],
    [{ start_date: '' }, 'start_date'],
    [{ start_date: '2026-07-01T' }, 'start_date'],
    [{ end_date: 'T10:00' }, 'end_date'],
    [{ end_date: '2026-07-01T09:59' }, 'end_date'],
    [{ all_day: true, end_date: '2026-06-30T12:00' }, 'end_date'],
    [{ timezone: 'Europe/Nowhere' }, 'timezone'],
    [{ website: 'nothing' }, 'website'],
    [{ website: 'mara@example.org' }, 'website'],
    [{ website: 'javascript:alert(1)' }, 'website'],
    [{ website: 'https://exämple.org/' }, 'website'],
    [{ image: 'picture.jpg' }, 'image'],
    [{ image: '0' }, 'image'],
    [{ author: 'mara' }, 'author'],
  ])('reject %j at %s', (wrong, name) => {
    expect(Object.keys(found(wrong).errors)).toEqual([name]);
  });

  it('reject clearing a field that can only be replaced', () => {
    expect(found({ author: '' }).errors).toEqual({});
    expect(Object.keys(found({ author: '' }, GOOD).errors)).toEqual(['author']);
  });

  it('warn of a new event in the past by its own zone, not of an old one', () => {
    const past = { start_date: '2026-06-01T13:30', end_date: '2026-07-01T12:00' };
    expect(Object.keys(found(past).warnings)).toEqual(['start_date']);
    expect(found({ ...past, timezone: 'UTC' }).warnings).toEqual({});
    expect(found(past, GOOD).warnings).toEqual({});
    expect(found({ ...past, all_day: true }).warnings).toEqual({});
    expect(Object.keys(found({ email: 'somebody' }).warnings)).toEqual(['email']);
  });

  it('correct an end by the duration of the event, or an hour', () => {
    const moved = { ...GOOD, start_date: '2026-07-02T23:30' };
    expect(mendedEnd(moved, undefined)).toBe('2026-07-03T00:30');
    expect(mendedEnd(moved, GOOD)).toBe('2026-07-03T01:30');
    expect(mendedEnd({ ...moved, all_day: true }, undefined).slice(0, 10)).toBe('2026-07-02');
  });

  it('move the end with the start until the user chooses one', () => {
    const typed: Values[] = [
      { start_date: '2026-07-02T' },
      { start_date: '2026-07-02T23:30' },
      { start_date: '2026-07-03T09:15' },
      { end_date: '2026-07-03T12:00' },
      { start_date: '2026-07-04T09:15' },
    ];
    let values: Values = { start_date: '', end_date: '', all_day: false };
    const ends = typed.map((change) => {
      values = withUsualEnd({ ...values, ...change }, values);
      return values['end_date'];
    });
    expect(ends).toEqual([
      '2026-07-02T',
      '2026-07-03T00:30',
      '2026-07-03T10:15',
      '2026-07-03T12:00',
      '2026-07-03T12:00',
    ]);
    const day: Values = { start_date: '', end_date: '', all_day: true };
    expect(withUsualEnd({ ...day, start_date: '2026-07-02T' }, day)['end_date']).toBe('2026-07-02T');
    const unusual = { ...day, start_date: '9999-12-31T23:59', all_day: false };
    expect(withUsualEnd({ ...unusual, start_date: '2026-99-99T10:00' }, unusual)['end_date']).toBe(
      '2026-99-99T10:00',
    );
    expect(withUsualEnd({ title: 'x' }, { title: '' })).toEqual({ title: 'x' });
  });

  it('convert zones and offsets', () => {
    expect(wallClock('Europe/Berlin', NOW)).toBe('2026-06-01T14:00');
    expect(wallClock('UTC+5', NOW)).toBe('2026-06-01T17:00');
    expect(wallClock('UTC', NOW)).toBe('2026-06-01T12:00');
    expect(wallClock('No/where', NOW)).toBe('');
  });

  it('send the filled-in fields of a new record, the changed ones of an old one, and both dates where one changed', () => {
    expect(Object.keys(bodyOf(FIELDS, GOOD, undefined))).toEqual([
      'title',
      'all_day',
      'start_date',
      'end_date',
      'timezone',
      'author',
    ]);
    expect(bodyOf(FIELDS, GOOD, GOOD)).toEqual({});
    expect(Object.keys(bodyOf(FIELDS, { ...GOOD, title: 'Coffee' }, GOOD))).toEqual(['title']);
    expect(Object.keys(bodyOf(FIELDS, { ...GOOD, end_date: '2026-07-01T13:00' }, GOOD))).toEqual([
      'start_date',
      'end_date',
    ]);
  });

  it('reject times that clocks skip, at the field, unless the stored record has them', () => {
    const spring = { start_date: '2027-03-28T02:30', end_date: '2027-03-28T03:30' };
    expect(Object.keys(found(spring).errors)).toEqual(['start_date']);
    expect(found(spring, { ...GOOD, ...spring }).errors).toEqual({});
    const moved = { ...GOOD, ...spring, timezone: 'UTC' };
    expect(Object.keys(found(spring, moved).errors)).toEqual(['start_date']);
    expect(found({ ...spring, all_day: true }).errors).toEqual({});
    expect(found({ ...spring, timezone: 'UTC+2' }).errors).toEqual({});
    const newYork = {
      timezone: 'America/New_York',
      start_date: '2027-03-14T01:00',
      end_date: '2027-03-14T02:10',
    };
    expect(Object.keys(found(newYork).errors)).toEqual(['end_date']);
  });

  it('move skipped times forward and keep the length of an event whose start moves', () => {
    const times = (start_date: string, end_date: string, timezone = 'Europe/Berlin') => {
      const mended = withExistingTimes({ ...GOOD, start_date, end_date, timezone });
      return [mended['start_date'], mended['end_date']];
    };
    expect(times('2027-03-28T02:30', '2027-03-28T03:30')).toEqual(['2027-03-28T03:30', '2027-03-28T04:30']);
    expect(times('2027-03-28T01:30', '2027-03-28T02:30')).toEqual(['2027-03-28T01:30', '2027-03-28T03:30']);
    expect(times('2027-10-03T02:10', '2027-10-03T02:50', 'Australia/Lord_Howe')).toEqual([
      '2027-10-03T02:40',
      '2027-10-03T03:20',
    ]);
  });

  it('put https:// in front of a host alone', () => {
    const typed = [
      'example.org',
      ' www.example.org/a?b#c ',
      'http://example.org',
      'ftp://example.org',
      'a@b.org',
    ];
    expect(typed.map(withScheme)).toEqual([
      'https://example.org',
      'https://www.example.org/a?b#c',
      'http://example.org',
      'ftp://example.org',
      'a@b.org',
    ]);
  });
});
