import { FailedAttempts, parseAttemptRule } from '../../src/auth/failed-attempts.js';

describe('failed attempts', () => {
  let now = 0;
  const attempts = (rule: string, capacity?: number) => {
    now = 1_000_000;
    return new FailedAttempts(parseAttemptRule(rule), () => now, capacity);
  };

  it('reads rules', () => {
    expect(parseAttemptRule('20/5m')).toEqual({ failures: 20, milliseconds: 300_000 });
    expect(parseAttemptRule('3/90s')).toEqual({ failures: 3, milliseconds: 90_000 });
    expect(parseAttemptRule('100/2h')).toEqual({ failures: 100, milliseconds: 7_200_000 });
    expect(parseAttemptRule('off')).toBeNull();
    for (const text of ['', '0/5m', '5/0m', '20', '20/5d', '-1/5m', 'on'])
      expect(() => parseAttemptRule(text)).toThrow('RATE_LIMIT');
  });

  it('makes wait after the last allowed failure, until the first one is old enough', () => {
    const failed = attempts('3/1m');
    for (const wait of [0, 0, 0]) {
      expect(failed.secondsToWait('a')).toBe(wait);
      failed.count('a');
      now += 10_000;
    }
    expect(failed.secondsToWait('a')).toBe(30);
    now += 29_999;
    expect(failed.secondsToWait('a')).toBe(1);
    now += 1;
    expect(failed.secondsToWait('a')).toBe(0);
    failed.count('a');
    expect(failed.secondsToWait('a')).toBe(10);
  });

  it('counts each key for itself', () => {
    const failed = attempts('1/1m');
    failed.count('a');
    expect([failed.secondsToWait('a'), failed.secondsToWait('b')]).toEqual([60, 0]);
  });

  it('forgives one attempt', () => {
    const failed = attempts('2/1m');
    failed.count('a');
    const forgive = failed.count('a');
    expect(failed.secondsToWait('a')).toBe(60);
    forgive();
    forgive();
    expect(failed.secondsToWait('a')).toBe(0);
    failed.count('a');
    expect(failed.secondsToWait('a')).toBe(60);
  });

  it('remembers a bounded number of keys, the latest', () => {
    const failed = attempts('1/1m', 100);
    failed.count('first');
    for (let index = 0; index < 99; index++) failed.count(`key ${index}`);
    expect(failed.secondsToWait('first')).toBe(60);
    for (let index = 0; index < 1000; index++) failed.count(`other ${index}`);
    expect(failed.size).toBe(100);
    expect(failed.secondsToWait('first')).toBe(0);
    expect(failed.secondsToWait('other 999')).toBe(60);
  });

  it('is off when the rule says so', () => {
    const failed = attempts('off');
    for (let index = 0; index < 100; index++) failed.count('a')();
    expect([failed.secondsToWait('a'), failed.size]).toEqual([0, 0]);
  });
});
