import type { LinkedPostFixture, LinkedPostResource } from '../support/linked-post-site.js';
import { declareExistingNames } from './linked-posts/existing-names.js';
import { declarePermissions } from './linked-posts/permissions.js';
import { declareRejections } from './linked-posts/rejections.js';
import { declareRevisions } from './linked-posts/revisions.js';
import { declareRows } from './linked-posts/rows.js';
import { declareUpdates } from './linked-posts/updates.js';
import { declareVectors } from './linked-posts/vectors.js';

/** Declares the tests that writes of venues and organizers share. */
export function declareLinkedPostWrites(
  fixture: () => LinkedPostFixture,
  resource: LinkedPostResource,
): void {
  declarePermissions(fixture, resource);
  declareRejections(fixture, resource);
  declareUpdates(fixture, resource);
  declareExistingNames(fixture, resource);
  declareRows(fixture, resource);
  declareRevisions(fixture, resource);
  declareVectors(fixture, resource);
}
