import 'reflect-metadata';
import { duration } from '../../config/parse-variable.js';
import { StartError } from '../../database/start-error.js';

/** What runs a job: a method of a provider. */
export interface JobOptions {
  /** Unique among all plugins: ASCII, up to 100 characters, such as `acme_send`. */
  name: string;
  /** Makes it periodic: the time between two runs, such as `30s`, `5m` or `1h`. */
  every?: string;
  /** How often a failed run is repeated; 8 by default. */
  retries?: number;
  /** The pause before the first repetition, which doubles up to an hour; `10s` by default. */
  backoff?: string;
  /** The time limit of a run, after which it counts as failed; `1m` by default. */
  timeout?: string;
}

/** What a job learns of its run. */
export interface JobRun {
  /** Aborted at the time limit, and when the server stops: then the run does not count as an attempt. */
  signal: AbortSignal;
  /** 1 for the first attempt. */
  attempt: number;
  /** The same for all attempts, for receivers that recognize repetitions. */
  id: number;
}

/** The options with times in milliseconds. */
export interface JobSettings {
  name: string;
  every?: number;
  retries: number;
  backoff: number;
  timeout: number;
}

const JOB = 'almanac:job';
const DAY = 86_400_000;

/** Declares a method `(payload, run: JobRun) => Promise<void>` as a job that one process of all runs at a time. */
export const Job =
  (options: JobOptions) =>
  (target: object, method: string): void =>
    Reflect.defineMetadata(JOB, options, target, method);

/** The settings of a method that is a job; throws `StartError` for invalid options. */
export function jobSettings(target: object, method: string): JobSettings | undefined {
  const options = Reflect.getMetadata(JOB, target, method) as JobOptions | undefined;
  if (!options) return undefined;
  const { name, every, retries = 8, backoff = '10s', timeout = '1m' } = options;
  const fault = (why: string) => new StartError(`The job ${name} cannot be declared: ${why}.`);
  if (typeof name !== 'string' || !/^[a-z][\w:.-]{0,99}$/i.test(name))
    throw fault('its name must be 1 to 100 letters, digits and _ : . -');
  if (!Number.isInteger(retries) || retries < 0 || retries > 100)
    throw fault('retries must be a whole number from 0 to 100');
  const time = (option: string, text: string, most: number) => {
    try {
      return duration(100, most)(text);
    } catch (error) {
      throw fault(`${option} ${error instanceof Error ? error.message : error}`);
    }
  };
  return {
    name,
    retries,
    backoff: time('backoff', backoff, DAY),
    timeout: time('timeout', timeout, DAY),
    ...(every !== undefined && { every: time('every', every, 365 * DAY) }),
  };
}
