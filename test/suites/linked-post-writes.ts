import type { LinkedPostGround, LinkedPostResource } from '../support/linked-post-site.js';
import { declareHistory } from './linked-posts/history.js';
import { declareNamesakes } from './linked-posts/namesakes.js';
import { declareRefusals } from './linked-posts/refusals.js';
import { declareRights } from './linked-posts/rights.js';
import { declareRows } from './linked-posts/rows.js';
import { declareUpdates } from './linked-posts/updates.js';
import { declareVectors } from './linked-posts/vectors.js';

/** Declares the tests that writing venues and writing organizers share. */
export function declareLinkedPostWrites(fixture: () => LinkedPostGround, resource: LinkedPostResource): void {
  declareRights(fixture, resource);
  declareRefusals(fixture, resource);
  declareUpdates(fixture, resource);
  declareNamesakes(fixture, resource);
  declareRows(fixture, resource);
  declareHistory(fixture, resource);
  declareVectors(fixture, resource);
}
