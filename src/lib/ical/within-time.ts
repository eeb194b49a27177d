import { createContext, Script } from 'node:vm';

/** How long one piece of a file may be worked on, in milliseconds: hundreds of times what any in use takes. */
const MAX_LENGTH = 1000;

const place = createContext({ work: undefined });
const script = new Script('work()');

/** Does work that may have no end, such as looking for the next 30th of February; `late` says what is thrown where it takes too long. */
export function withinTime<T>(work: () => T, late: () => Error): T {
  place['work'] = work;
  try {
    return script.runInContext(place, { timeout: MAX_LENGTH }) as T;
  } catch (error) {
    throw (error as NodeJS.ErrnoException | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? late() : error;
  } finally {
    place['work'] = undefined;
  }
}
