import { namedZones, parseRecurrence } from '../../src/lib/recurrence/parse-recurrence.js';
import { zoneClock } from '../../src/lib/recurrence/zone-clock.js';
import { recurrenceText } from '../../src/pages/recurrence/recurrence-text.js';
import { RECURRENCE_TEXTS } from '../../src/pages/texts/recurrence-texts.js';

const TAGS: Readonly<Record<string, string>> = { en: 'en-GB' };
/** 2 March 2027 is a Tuesday, the first one of its month. */
const START = 'DTSTART:20270302T190000';

function words(lines: readonly string[], language = 'en', start = START): string {
  const texts = RECURRENCE_TEXTS[language];
  if (!texts) throw new Error(language);
  const set = parseRecurrence([start, ...lines], { zones: namedZones(zoneClock('Europe/Berlin')) });
  const { text, isComplete } = recurrenceText(set, { tag: TAGS[language] ?? language, texts });
  return isComplete ? text : `${text} …`;
}

describe('a recurrence in words', () => {
  it.each([
    ['FREQ=DAILY', 'every day'],
    ['FREQ=DAILY;INTERVAL=3;COUNT=5', 'every 3 days, 5 times'],
    ['FREQ=DAILY;COUNT=1', 'every day, once'],
    ['FREQ=DAILY;BYDAY=MO,TU', 'every week on Monday and Tuesday'],
    ['FREQ=WEEKLY', 'every Tuesday'],
    ['FREQ=WEEKLY;BYDAY=TU;UNTIL=20270518T180000Z', 'every Tuesday until 18 May'],
    ['FREQ=DAILY;UNTIL=20270518T000000', 'every day until 17 May'],
    ['FREQ=WEEKLY;INTERVAL=2;UNTIL=20280518', 'every second Tuesday until 18 May 2028'],
    ['FREQ=WEEKLY;INTERVAL=3', 'every 3 weeks on Tuesday'],
    ['FREQ=WEEKLY;BYDAY=TH,TU', 'every week on Tuesday and Thursday'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'from Monday to Friday'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', 'every day'],
    ['FREQ=WEEKLY;BYMONTH=3,4', 'every Tuesday in March and April'],
    ['FREQ=MONTHLY', 'every month on day 2'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1,15', 'every month on day 15 and the last day'],
    ['FREQ=MONTHLY;BYDAY=1TU,-1FR', 'every month on the first Tuesday and the last Friday'],
    ['FREQ=MONTHLY;BYDAY=TU;BYSETPOS=1', 'every month on the first Tuesday'],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'every month on the last working day'],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1',
      'every month on the first working day and the last working day',
    ],
    ['FREQ=MONTHLY;INTERVAL=6', 'every 6 months on day 2'],
    ['FREQ=YEARLY', 'every year on 2 March'],
    ['FREQ=YEARLY;BYMONTH=5', 'every year on 2 May'],
    ['FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29', 'every 4 years on 29 February'],
    ['FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'every year in March on the last Sunday'],
    ['FREQ=YEARLY;BYMONTH=3,9;BYMONTHDAY=1', 'every year in March and September on the first day'],
  ])('%s', (rule, expected) => {
    expect(words([`RRULE:${rule}`])).toBe(expected);
  });

  it.each([
    ['FREQ=HOURLY', ' …'],
    ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', 'every month …'],
    ['FREQ=MONTHLY;BYMONTHDAY=-2', 'every month …'],
    ['FREQ=MONTHLY;BYDAY=TU', 'every month …'],
    ['FREQ=YEARLY;BYWEEKNO=20', 'every year …'],
    ['FREQ=YEARLY;BYDAY=20MO;COUNT=3', 'every year, 3 times …'],
    ['FREQ=DAILY;BYHOUR=9,15', 'every day …'],
    ['FREQ=DAILY;INTERVAL=2;BYDAY=MO', 'every 2 days …'],
    ['RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD', 'every month on day 31 …'],
  ])('%s only in part', (rule, expected) => {
    expect(words([`RRULE:${rule}`])).toBe(expected);
  });

  it('names dates that are left out and added, on the clock of the event', () => {
    const weekly = 'RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20270518';
    expect(words([weekly, 'EXDATE;VALUE=DATE:20270504'])).toBe(
      'every second Tuesday until 18 May, not on 4 May',
    );
    expect(words([weekly, 'EXDATE:20270329T170000Z,20270330T170000Z'])).toBe(
      'every second Tuesday until 18 May, not on 29 March and 30 March',
    );
    expect(words([weekly, 'RDATE:20270505T200000,20270506T190000'])).toBe(
      'every second Tuesday until 18 May, also on 5 May at 20:00 and 6 May',
    );
    expect(words([weekly, 'RDATE:20270505T000000'])).toBe(
      'every second Tuesday until 18 May, also on 5 May at 0:00',
    );
    expect(words(['RDATE:20270410T190000'])).toBe('on 2 March and 10 April');
    const many = ['0316', '0330', '0413', '0427', '0511'].map((day) => `EXDATE;VALUE=DATE:2027${day}`);
    expect(words([weekly, ...many])).toBe(
      'every second Tuesday until 18 May, not on 16 March, 30 March, 13 April and 2 more days',
    );
    expect(words([weekly, 'EXRULE:FREQ=MONTHLY'])).toBe('every second Tuesday until 18 May …');
  });

  it('counts whole days and the last evening in their own zone', () => {
    const wholeDays = 'DTSTART;VALUE=DATE:20270302';
    expect(words(['RRULE:FREQ=WEEKLY;UNTIL=20270518', 'EXDATE;VALUE=DATE:20270504'], 'en', wholeDays)).toBe(
      'every Tuesday until 18 May, not on 4 May',
    );
    // 23:30 on 18 May in New York is the 19th in UTC.
    const late = 'DTSTART;TZID=America/New_York:20270302T233000';
    expect(words(['RRULE:FREQ=WEEKLY;UNTIL=20270519T033000Z'], 'en', late)).toBe(
      'every Tuesday until 18 May',
    );
    expect(words(['RRULE:FREQ=WEEKLY', 'EXDATE:20270310T043000Z'], 'en', late)).toBe(
      'every Tuesday, not on 9 March',
    );
    // A time in a series of whole days stands for its day, here 5 May in Berlin.
    expect(words(['RRULE:FREQ=WEEKLY', 'RDATE:20270504T233000Z'], 'en', wholeDays)).toBe(
      'every Tuesday, also on 5 May',
    );
  });

  it.each([
    ['de', 'jeden zweiten Dienstag bis zum 18. Mai, nicht am 4. Mai', 'jeden Monat am ersten Dienstag'],
    ['fr', 'un mardi sur deux jusqu’au 18 mai, sauf le 4 mai', 'chaque mois le premier mardi'],
    [
      'es',
      'cada dos semanas el martes hasta el 18 de mayo, excepto el 4 de mayo',
      'cada mes el primer martes',
    ],
    [
      'it',
      'ogni due settimane il martedì fino al giorno 18 maggio, tranne il giorno 4 maggio',
      'ogni mese il primo martedì',
    ],
    ['nl', 'om de week op dinsdag tot en met 18 mei, niet op 4 mei', 'elke maand op de eerste dinsdag'],
    [
      'pt',
      'a cada duas semanas na terça-feira até 18 de maio, exceto em 4 de maio',
      'todo mês na primeira terça-feira',
    ],
  ])('is written in %s', (language, biweekly, monthly) => {
    const lines = ['RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20270518', 'EXDATE;VALUE=DATE:20270504'];
    expect(words(lines, language)).toBe(biweekly);
    expect(words(['RRULE:FREQ=MONTHLY;BYDAY=1TU'], language)).toBe(monthly);
  });

  it.each([
    ['de', 'nicht am 16. März, 30. März, 13. April und an 2 weiteren Tagen', 'am ersten Tag'],
    ['fr', 'sauf le 16 mars, le 30 mars, le 13 avril et 2 autres jours', 'le premier jour'],
    ['es', 'excepto el 16 de marzo, el 30 de marzo, el 13 de abril y 2 días más', 'el primer día'],
    [
      'it',
      'tranne il giorno 16 marzo, il giorno 30 marzo, il giorno 13 aprile e altri 2 giorni',
      'il primo giorno',
    ],
    ['nl', 'niet op 16 maart, 30 maart, 13 april en 2 andere dagen', 'op de eerste dag'],
    ['pt', 'exceto em 16 de março, em 30 de março, em 13 de abril e mais 2 dias', 'no primeiro dia'],
  ])(
    'counts the later ones of many exceptions, and names the first of the month, in %s',
    (language, many, first) => {
      const days = ['0316', '0330', '0413', '0427', '0511'].map((day) => `EXDATE;VALUE=DATE:2027${day}`);
      expect(words(['RRULE:FREQ=WEEKLY', ...days], language)).toMatch(new RegExp(`, ${many}$`));
      expect(words(['RRULE:FREQ=MONTHLY'], language, 'DTSTART:20270301T190000')).toMatch(
        new RegExp(` ${first}$`),
      );
    },
  );

  it('is written in Arabic, with dates as Intl writes them', () => {
    const format = new Intl.DateTimeFormat('ar', { day: 'numeric', month: 'long', timeZone: 'UTC' });
    const [until, except] = ['2027-05-18', '2027-05-04'].map((day) => format.format(new Date(day)));
    const lines = ['RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20270518', 'EXDATE;VALUE=DATE:20270504'];
    expect(words(lines, 'ar')).toBe(`الثلاثاء مرة كل أسبوعين حتى ${until}، ما عدا ${except}`);
    expect(words(['RRULE:FREQ=MONTHLY;BYDAY=1TU'], 'ar')).toBe('كل شهر الثلاثاء الأول');
  });

  it('has the gender of each weekday', () => {
    const sunday = 'DTSTART:20270307T190000';
    expect(words(['RRULE:FREQ=WEEKLY;INTERVAL=2'], 'it', sunday)).toBe('ogni due settimane la domenica');
    expect(words(['RRULE:FREQ=MONTHLY;BYDAY=-1SU'], 'it', sunday)).toBe('ogni mese l’ultima domenica');
    expect(words(['RRULE:FREQ=WEEKLY;BYDAY=FR,SU'], 'pt', sunday)).toBe(
      'toda semana na sexta-feira e no domingo',
    );
    expect(words(['RRULE:FREQ=WEEKLY;BYDAY=FR,SU'], 'fr', sunday)).toBe(
      'chaque semaine le vendredi et le dimanche',
    );
  });

  it.each(Object.keys(RECURRENCE_TEXTS))(
    'has a text for each English one, with the same fields, in %s',
    (language) => {
      const fieldsIn = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
      const texts = RECURRENCE_TEXTS[language] ?? {};
      expect(Object.keys(texts)).toEqual(Object.keys(RECURRENCE_TEXTS['en'] ?? {}));
      for (const [name, english] of Object.entries(RECURRENCE_TEXTS['en'] ?? {})) {
        const text: string = Reflect.get(texts, name);
        for (const part of text.split('|')) expect([name, fieldsIn(part)]).toEqual([name, fieldsIn(english)]);
        expect(text).toMatch(/\S/);
      }
    },
  );
});
