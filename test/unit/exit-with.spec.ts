import { exitWith } from '../../src/app/exit-with.js';
import { StartError } from '../../src/database/start-error.js';

it('a fatal error is printed by lines, without control characters', () => {
  const exit = jest.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  const said = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    expect(() => exitWith(new StartError('It ends within the \x1b[2J\x9b\u202eX.\nTwo lines.'))).toThrow(
      'exit 1',
    );
    expect(said.mock.calls).toEqual([['It ends within the \\u001b[2J\\u009b\\u202eX.\nTwo lines.']]);
  } finally {
    exit.mockRestore();
    said.mockRestore();
  }
});
