import { PassThrough, Writable } from 'node:stream';
import { Terminal } from '../../src/cli/terminal.js';

type Streams = ConstructorParameters<typeof Terminal>;

describe('what a command says', () => {
  it('goes nowhere, and ends nothing, once nobody reads it any more', async () => {
    let asked = 0;
    const closed = () =>
      new Writable({
        write(_chunk, _encoding, done) {
          asked += 1;
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
    expect(asked).toBe(2);
  });

  it('names members of JSON as everything else does', () => {
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
