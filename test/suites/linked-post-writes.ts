import type { LinkedPostFixture, LinkedPostResource } from '../support/linked-post-site.js';
import { declareHistory } from './linked-posts/history.js';
import { declareNamesakes } from './linked-posts/namesakes.js';
import { declareRefusals } from './linked-posts/refusals.js';
import { declareRights } from './linked-posts/rights.js';
import { declareRows } from './linked-posts/rows.js';
import { declareUpdates } from './linked-posts/updates.js';
import { declareVectors } from './linked-posts/vectors.js';

/** Declares the tests that writing venues and writing organizers share. */
export function declareLinkedPostWrites(ground: () => LinkedPostFixture, resource: LinkedPostResource): void {
  declareRights(ground, resource);
  declareRefusals(ground, resource);
  declareUpdates(ground, resource);
  declareNamesakes(ground, resource);
  declareRows(ground, resource);
  declareHistory(ground, resource);
  declareVectors(ground, resource);
}
