import { declareHistory } from './linked-post-history.js';
import { declareNamesakes } from './linked-post-namesakes.js';
import { declareRefusals } from './linked-post-refusals.js';
import { declareRights } from './linked-post-rights.js';
import { declareRows } from './linked-post-rows.js';
import { declareUpdates } from './linked-post-updates.js';
import { declareVectors } from './linked-post-vectors.js';
import type { LinkedPostGround, LinkedPostResource } from './linked-post-site.js';

/** Declares the tests that writing venues and writing organizers share. */
export function declareLinkedPostWrites(ground: () => LinkedPostGround, resource: LinkedPostResource): void {
  declareRights(ground, resource);
  declareRefusals(ground, resource);
  declareUpdates(ground, resource);
  declareNamesakes(ground, resource);
  declareRows(ground, resource);
  declareHistory(ground, resource);
  declareVectors(ground, resource);
}
