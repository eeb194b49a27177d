import { runTextJob, type TextJob } from './text-functions.js';

/** Maximum characters of a result, which the main thread copies and sends to many clients. */
const MAX_LENGTH = 4 * 1024 * 1024;
const TIMES_ITS_SOURCE = 8;

/** Runs one job in a thread of the pool. */
export default (job: TextJob): unknown => {
  const result = runTextJob(job);
  const text = typeof result === 'string' ? result : 'text' in result ? result.text : '';
  if (text.length > Math.max(MAX_LENGTH, TIMES_ITS_SOURCE * job.input.text.length))
    throw new RangeError('Invalid string length');
  return result;
};
