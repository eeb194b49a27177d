import { runTextJob, type TextJob } from './text-functions.js';

/** What a thread of the pool does with each job. */
export default (job: TextJob): unknown => runTextJob(job);
