import { runTextJob, type TextJob } from './text-functions.js';

/** How much may be made of a text, in characters: the main thread has to copy it, and send it to many readers at once. */
const MAX_LENGTH = 4 * 1024 * 1024;
const TIMES_ITS_SOURCE = 8;

/** What a thread of the pool does with each job. */
export default (job: TextJob): unknown => {
  const result = runTextJob(job);
  const text = typeof result === 'string' ? result : 'text' in result ? result.text : '';
  if (text.length > Math.max(MAX_LENGTH, TIMES_ITS_SOURCE * job.input.text.length))
    throw new RangeError('Invalid string length');
  return result;
};
