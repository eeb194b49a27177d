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

  describe('on a terminal', () => {
    const open = () => {
      const [output, errors] = [new PassThrough(), new PassThrough()];
      const streams = [output, errors].map((stream) => Object.assign(stream, { isTTY: true, columns: 50 }));
      const terminal = new Terminal(...([new PassThrough(), ...streams] as unknown as Streams));
      return { terminal, output, errors };
    };

    it('draws one line of progress after a second, and clears it before other lines', () => {
      const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
      const { terminal, output, errors } = open();
      for (const time of [0, 999, 1000, 1050, 1100, 1200]) {
        clock.mockReturnValue(time);
        terminal.progress(`${time} of 2000`, time / 2000);
      }
      terminal.say('Done.');
      terminal.note('And done.');
      clock.mockReturnValue(9000);
      terminal.progress(`unknown\u001b[2J ${'x'.repeat(99)}`);
      clock.mockRestore();
      const bar = (cells: number, rest: string) =>
        `\r\u001b[K${'█'.repeat(cells)}${'░'.repeat(20 - cells)} ${rest}`;
      const printed = String(errors.read());
      const bars = [
        bar(10, ' 50 % 1000 of 2000'),
        bar(11, ' 55 % 1100 of 2000'),
        bar(12, ' 60 % 1200 of 2000'),
      ];
      expect(printed).toMatch(/^[\s\S]+\r\u001b\[KAnd done\.\n\r\u001b\[Kunknown[^\u001b]{42}$/);
      expect(printed.split('\r\u001b[KAnd')[0]).toBe(bars.join(''));
      expect(String(output.read())).toBe('Done.\n');
    });

    it('colors lines, unless NO_COLOR is set', () => {
      const { terminal, output } = open();
      withColorVariables({}, () => {
        terminal.say('bad\u001b[2J', 'red');
        terminal.say('plain');
      });
      withColorVariables({ NO_COLOR: '1', FORCE_COLOR: '1' }, () => terminal.say('bad', 'red'));
      expect(String(output.read())).toMatch(/^\u001b\[31mbad[^\u001b]+\u001b\[39m\nplain\nbad\n$/);
    });
  });

  it('colors no lines where it is no terminal, unless FORCE_COLOR is set', () => {
    const output = new PassThrough();
    const terminal = new Terminal(new PassThrough() as never, output as never, new PassThrough() as never);
    withColorVariables({}, () => terminal.say('bad', 'red'));
    withColorVariables({ FORCE_COLOR: '0' }, () => terminal.say('bad', 'red'));
    withColorVariables({ FORCE_COLOR: '1' }, () => terminal.say('bad', 'red'));
    expect(String(output.read())).toBe('bad\nbad\n\u001b[31mbad\u001b[39m\n');
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

function withColorVariables(values: Readonly<Record<string, string>>, work: () => void): void {
  const names = ['NO_COLOR', 'FORCE_COLOR'];
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) delete process.env[name];
  Object.assign(process.env, values);
  try {
    work();
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}
