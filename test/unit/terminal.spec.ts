import { PassThrough, Writable } from 'node:stream';
import { Terminal } from '../../src/cli/terminal.js';

const sleep = (time: number) => new Promise<void>((done) => setTimeout(done, time));

type Streams = ConstructorParameters<typeof Terminal>;

describe('the output of a command', () => {
  it('is dropped without ending anything once its reader is gone', async () => {
    let requested = 0;
    const closed = () =>
      new Writable({
        write(_chunk, _encoding, done) {
          requested += 1;
          done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
        },
      });
    const terminal = new Terminal(...([new PassThrough(), closed(), closed()] as unknown as Streams));
    terminal.say('a');
    terminal.note('b');
    await new Promise(setImmediate);
    terminal.say('c');
    terminal.note('d');
    await new Promise(setImmediate);
    expect(requested).toBe(2);
  });

  it('shows progress after a second, and then once a second', () => {
    const errors = new PassThrough();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
    const terminal = new Terminal(...([new PassThrough(), new PassThrough(), errors] as unknown as Streams));
    for (const time of [0, 500, 999, 1000, 1500, 1999, 2000, 5000, 5001]) {
      clock.mockReturnValue(time);
      terminal.progress(`at ${time}`);
    }
    clock.mockRestore();
    expect(String(errors.read())).toBe('at 1000\nat 2000\nat 5000\n');
  });

  it('names what it waits for after a second, however it ends', async () => {
    jest.useFakeTimers();
    try {
      const errors = new PassThrough();
      const terminal = new Terminal(
        ...([new PassThrough(), new PassThrough(), errors] as unknown as Streams),
      );
      const storage = [
        terminal.during('brief', sleep(999)),
        terminal.during('long', sleep(5000)),
        terminal.during(
          'in vain',
          sleep(3000).then(() => Promise.reject(new Error('no'))),
        ),
      ];
      const ends = Promise.allSettled(storage);
      await jest.advanceTimersByTimeAsync(10_000);
      expect((await ends).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
      expect(String(errors.read())).toBe('long\nin vain\n');
    } finally {
      jest.useRealTimers();
    }
  });

  it('names members of JSON as everywhere else', () => {
    const output = new PassThrough();
    const terminal = new Terminal(...([new PassThrough(), output, new PassThrough()] as unknown as Streams));
    terminal.isJson = true;
    terminal.json({ leftOut: 1, records: [{ lastUsed: null, name: 'aB' }] });
    expect(JSON.parse(String(output.read()))).toEqual({
      left_out: 1,
      records: [{ last_used: null, name: 'aB' }],
    });
  });
});
