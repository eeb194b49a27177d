import { demoEvents, demoOrganizers, demoTerms, demoVenues } from '../../src/setup/demo-data.js';

describe('the tables of the demo calendar', () => {
  const events = demoEvents();
  const keysOf = (records: readonly { key: string }[]) => records.map(({ key }) => key);

  it('name only venues, organizers and categories that are there', () => {
    const categories = demoTerms().filter(({ taxonomy }) => taxonomy === 'category');
    const unknown = events.flatMap((event) => [
      ...[event.venue].flatMap((key) => key ?? []).filter((key) => !keysOf(demoVenues()).includes(key)),
      ...(event.organizers ?? []).filter((key) => !keysOf(demoOrganizers()).includes(key)),
      ...event.categories.filter((category) => !categories.some(({ name }) => name === category)),
    ]);
    expect(unknown).toEqual([]);
  });

  it('have dates, a title and a description in each row of events', () => {
    expect(events.length).toBeGreaterThan(40);
    for (const { week, weekday, length, time = '00:00', title, description } of events) {
      expect([week, weekday, length].every(Number.isInteger)).toBe(true);
      expect(time).toMatch(/^\d\d:\d\d$/);
      expect(title).toMatch(/\S/);
      expect(description).toMatch(/\S/);
    }
  });

  it('list each parent before its children', () => {
    const names = demoTerms().map(({ name }) => name);
    for (const [at, { parent }] of demoTerms().entries())
      if (parent !== undefined) expect(names.slice(0, at)).toContain(parent);
  });
});
