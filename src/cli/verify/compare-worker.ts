import { compareRaw } from './compare-raw.js';

/** What the thread of a `ComparisonThread` runs. */
export default compareRaw;
