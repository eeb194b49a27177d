import { createContext, Script } from 'node:vm';

/** The time limit, in milliseconds: hundreds of times what any real file needs. */
const TIMEOUT_MS = 1000;

const context = createContext({ work: undefined });
const script = new Script('work()');

/** Runs work that may not terminate, such as finding the next 30 February; throws the error of `late` after the time limit. */
export function withinTime<T>(work: () => T, late: () => Error): T {
  context['work'] = work;
  try {
    return script.runInContext(context, { timeout: TIMEOUT_MS }) as T;
  } catch (error) {
    throw (error as NodeJS.ErrnoException | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? late() : error;
  } finally {
    context['work'] = undefined;
  }
}
