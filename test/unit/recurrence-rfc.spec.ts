import { datesOf } from '../support/recurrence-dates.js';

/** `19970902` and following days of the month as `02 03`; a longer number is a date of its own. */
const days = (text: string, time = '090000') => {
  let month = '';
  return text.split(/\s+/).map((word) => {
    if (word.length === 8) month = word.slice(0, 6);
    return `${month}${word.slice(-2)}T${time}`;
  });
};
const EVERY_DAY = 'SU,MO,TU,WE,TH,FR,SA';

/** Start, rule, dates, and whether there are no more. */
const EXAMPLES: [start: string, rule: string, dates: string, ends?: boolean][] = [
  ['19970902', 'FREQ=DAILY;COUNT=10', '19970902 03 04 05 06 07 08 09 10 11', true],
  ['19970902', 'FREQ=DAILY;INTERVAL=2', '19970902 04 06 08 10 12 14 16 18 20 22 24 26 28 30 19971002'],
  ['19970902', 'FREQ=DAILY;INTERVAL=10;COUNT=5', '19970902 12 22 19971002 12', true],
  ['19970902', 'FREQ=WEEKLY;COUNT=10', '19970902 09 16 23 30 19971007 14 21 28 19971104', true],
  [
    '19970902',
    'FREQ=WEEKLY;UNTIL=19971224T000000Z',
    '19970902 09 16 23 30 19971007 14 21 28 19971104 11 18 25 19971202 09 16 23',
    true,
  ],
  [
    '19970902',
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU',
    '19970902 16 30 19971014 28 19971111 25 19971209 23 19980106 20 19980203',
  ],
  [
    '19970902',
    'FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH',
    '19970902 04 09 11 16 18 23 25 30 19971002',
    true,
  ],
  ['19970902', 'FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH', '19970902 04 09 11 16 18 23 25 30 19971002', true],
  [
    '19970901',
    'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
    '19970901 03 05 15 17 19 29 19971001 03 13 15 17 27 29 31 19971110 12 14 24 26 28 19971208 10 12 22',
    true,
  ],
  [
    '19970902',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH',
    '19970902 04 16 18 30 19971002 14 16',
    true,
  ],
  [
    '19970905',
    'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
    '19970905 19971003 19971107 19971205 19980102 19980206 19980306 19980403 19980501 19980605',
    true,
  ],
  ['19970905', 'FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR', '19970905 19971003 19971107 19971205', true],
  [
    '19970907',
    'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
    '19970907 28 19971102 30 19980104 25 19980301 29 19980503 31',
    true,
  ],
  [
    '19970922',
    'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO',
    '19970922 19971020 19971117 19971222 19980119 19980216',
    true,
  ],
  ['19970928', 'FREQ=MONTHLY;BYMONTHDAY=-3', '19970928 19971029 19971128 19971229 19980129 19980226'],
  [
    '19970902',
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15',
    '19970902 15 19971002 15 19971102 15 19971202 15 19980102 15',
    true,
  ],
  [
    '19970930',
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
    '19970930 19971001 31 19971101 30 19971201 31 19980101 31 19980201',
    true,
  ],
  [
    '19970910',
    'FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15',
    '19970910 11 12 13 14 15 19990310 11 12 13',
    true,
  ],
  [
    '19970902',
    'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU',
    '19970902 09 16 23 30 19971104 11 18 25 19980106 13 20 27 19980303 10 17 24 31',
  ],
  [
    '19970610',
    'FREQ=YEARLY;COUNT=10;BYMONTH=6,7',
    '19970610 19970710 19980610 19980710 19990610 19990710 20000610 20000710 20010610 20010710',
    true,
  ],
  [
    '19970310',
    'FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3',
    '19970310 19990110 19990210 19990310 20010110 20010210 20010310 20030110 20030210 20030310',
    true,
  ],
  [
    '19970101',
    'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
    '19970101 19970410 19970719 20000101 20000409 20000718 20030101 20030410 20030719 20060101',
    true,
  ],
  ['19970519', 'FREQ=YEARLY;BYDAY=20MO', '19970519 19980518 19990517'],
  ['19970512', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '19970512 19980511 19990517'],
  ['19970313', 'FREQ=YEARLY;BYMONTH=3;BYDAY=TH', '19970313 20 27 19980305 12 19 26 19990304 11 18 25'],
  [
    '19970605',
    'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8',
    '19970605 12 19 26 19970703 10 17 24 31 19970807 14 21 28 19980604 11 18 25 19980702 09',
  ],
  [
    '19970913',
    'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
    '19970913 19971011 19971108 19971213 19980110 19980207 19980307 19980411 19980509 19980613',
  ],
  [
    '19961105',
    'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
    '19961105 20001107 20041102',
  ],
  ['19970904', 'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', '19970904 19971007 19971106', true],
  [
    '19970929',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
    '19970929 19971030 19971127 19971230 19980129 19980226 19980330',
  ],
  ['19970805', 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO', '19970805 10 19 24', true],
  ['19970805', 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', '19970805 17 19 31', true],
  ['20070115', 'FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5', '20070115 30 20070215 20070315 30', true],
];

const newYork = (start: string, time = '090000') => `DTSTART;TZID=America/New_York:${start}T${time}`;

describe('the examples of RFC 5545, 3.8.5.3', () => {
  it.each(EXAMPLES)('%s %s', (start, rule, dates, ends = false) => {
    const expected = days(dates);
    const found = datesOf([newYork(start), `RRULE:${rule}`], expected.length + (ends ? 1 : 0));
    expect(found).toEqual(expected);
  });

  it('daily until 24 December 1997', () => {
    const found = datesOf([newYork('19970902'), 'RRULE:FREQ=DAILY;UNTIL=19971224T000000Z'], 200);
    expect(found).toHaveLength(113);
    expect(found.at(-1)).toBe('19971223T090000');
  });

  it('every day in January for three years', () => {
    for (const rule of [
      `FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=${EVERY_DAY}`,
      'FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1',
    ]) {
      const found = datesOf([newYork('19980101'), `RRULE:${rule}`], 200);
      expect(found).toHaveLength(93);
      expect([found[0], found[30], found[31], found[92]]).toEqual(days('19980101 31 19990101 20000131'));
    }
  });

  it('every Friday the 13th, without the start', () => {
    const lines = [
      newYork('19970902'),
      'EXDATE;TZID=America/New_York:19970902T090000',
      'RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
    ];
    expect(datesOf(lines, 5)).toEqual(days('19980213 19980313 19981113 19990813 20001013'));
  });

  it.each([
    // Erratum 3883: 17:00 in New York is 21:00 in UTC.
    ['FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z', '0900 1200 1500'],
    ['FREQ=MINUTELY;INTERVAL=15;COUNT=6', '0900 0915 0930 0945 1000 1015'],
    ['FREQ=MINUTELY;INTERVAL=90;COUNT=4', '0900 1030 1200 1330'],
  ])('several times on one day: %s', (rule, times) => {
    const expected = times.split(' ').map((time) => `19970902T${time}00`);
    expect(datesOf([newYork('19970902'), `RRULE:${rule}`], 20)).toEqual(expected);
  });

  it('every 20 minutes from 9:00 to 16:40, by two rules', () => {
    const found = [
      'FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40',
      'FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16',
    ].map((rule) => datesOf([newYork('19970902'), `RRULE:${rule}`], 60));
    expect(found[0]).toEqual(found[1]);
    expect(found[0]?.slice(22, 26)).toEqual([
      ...['19970902T162000', '19970902T164000', '19970903T090000', '19970903T092000'],
    ]);
  });
});

describe('SKIP of RFC 7529', () => {
  const rule = (start: string, text: string) => [
    `DTSTART;VALUE=DATE:${start}`,
    `RRULE:RSCALE=GREGORIAN;${text}`,
  ];
  const skip = (start: string, text: string, limit: number) =>
    datesOf(rule(start, text), limit).map((date) => date.slice(0, 8));

  it.each([
    ['20140131', 'FREQ=MONTHLY;COUNT=4', '20140131 20140331 20140531 20140731'],
    ['20140131', 'FREQ=MONTHLY;SKIP=OMIT;COUNT=4', '20140131 20140331 20140531 20140731'],
    ['20140131', 'FREQ=MONTHLY;SKIP=BACKWARD;COUNT=4', '20140131 20140228 20140331 20140430'],
    ['20140131', 'FREQ=MONTHLY;SKIP=FORWARD;COUNT=4', '20140131 20140301 20140331 20140501'],
    ['20160229', 'FREQ=YEARLY;SKIP=BACKWARD;COUNT=5', '20160229 20170228 20180228 20190228 20200229'],
    ['20160229', 'FREQ=YEARLY;SKIP=FORWARD;COUNT=5', '20160229 20170301 20180301 20190301 20200229'],
    [
      '20140130',
      'FREQ=MONTHLY;BYMONTHDAY=1,30,31;SKIP=FORWARD;COUNT=6',
      '20140130 20140131 20140201 20140301 20140330 20140331',
    ],
    [
      '20140128',
      'FREQ=MONTHLY;BYMONTHDAY=28,31;SKIP=BACKWARD;COUNT=4',
      '20140128 20140131 20140228 20140328',
    ],
    ['20140401', 'FREQ=MONTHLY;BYMONTH=4;BYMONTHDAY=31;SKIP=FORWARD;COUNT=2', '20140501 20150501'],
    ['20140131', 'FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=SA,SU;SKIP=FORWARD;COUNT=3', '20140301 20140531 20140831'],
  ])('%s %s', (start, text, dates) => {
    expect(skip(start, text, 10)).toEqual(dates.split(' '));
  });

  it('keeps the order where a day moved forward meets an earlier time of the next month', () => {
    const lines = [
      'DTSTART:20140401T090000',
      'RRULE:FREQ=MONTHLY;BYMONTHDAY=1,31;BYHOUR=9,17;BYSETPOS=1,-1;SKIP=FORWARD',
    ];
    const found = datesOf(lines, 6);
    expect(found).toEqual(found.toSorted());
    expect(new Set(found).size).toBe(6);
  });
});

describe('week numbers', () => {
  it('reach into January of the next year', () => {
    // 2 January 2039 is the Sunday of week 52 of 2038 (ISO 8601).
    const lines = ['DTSTART:20380101T100000', 'RRULE:FREQ=YEARLY;BYWEEKNO=52;BYDAY=SU'];
    expect(datesOf(lines, 2)).toEqual(['20390102T100000', '20400101T100000']);
  });

  it('without BYDAY take the weekday of the start', () => {
    expect(datesOf(['DTSTART:20270519T100000', 'RRULE:FREQ=YEARLY;BYWEEKNO=20'], 3)).toEqual([
      ...['20270519T100000', '20280517T100000', '20290516T100000'],
    ]);
  });
});

describe('BYSETPOS', () => {
  it('counts in the whole week where the start is in the middle of it', () => {
    // The Wednesday is the second of Monday, Wednesday and Friday.
    const lines = ['DTSTART:20270303T100000', 'RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=2'];
    expect(datesOf(lines, 2)).toEqual(['20270303T100000', '20270310T100000']);
  });
});
