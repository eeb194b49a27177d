import { runTextJob, type TextJob } from './text-functions.js';

/** Longest text that is handed back, in characters: the main thread has to copy it. V8 has a limit of its own. */
const LONGEST = 32 * 1024 * 1024;

/** What a thread of the pool does with each job. */
export default (job: TextJob): unknown => {
  const result = runTextJob(job);
  const text = typeof result === 'string' ? result : 'text' in result ? result.text : '';
  if (text.length > LONGEST) throw new RangeError('Invalid string length');
  return result;
};
