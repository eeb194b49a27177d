import { type Comparison, compare } from './compare.js';
import { type Finding, findingOf } from './findings.js';
import { judged } from './known-differences.js';
import { type Place, Places } from './places.js';
import { parseResponse, type RawResponse } from './raw-response.js';

/** Two raw responses to one request. */
export interface RawComparison {
  path: string;
  isSignedIn: boolean;
  places: readonly Place[];
  old: RawResponse;
  now: RawResponse;
}

/** Result of a comparison; `failure` says why the old response cannot be compared. */
export interface RawComparisonResult {
  failure?: string;
  level: Comparison['level'];
  findings: Finding[];
}

/** Decompresses, parses and compares two responses; the thread of a `ComparisonThread` runs it. */
export default async function compareRaw(job: RawComparison): Promise<RawComparisonResult> {
  const [old, now] = [await parseResponse(job.old), await parseResponse(job.now)];
  if (old.failure !== undefined) return { failure: old.failure, level: 'different', findings: [] };
  const ask = { path: job.path };
  const { level, differences } = compare(ask, old, now, new Places(...job.places));
  const circumstances = { ask, old, now, isSignedIn: job.isSignedIn };
  return { level, findings: judged(differences, circumstances).map(findingOf) };
}
