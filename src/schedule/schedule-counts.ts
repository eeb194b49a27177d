import { Injectable } from '@nestjs/common';

/** What this process has done by its schedule since it started. */
@Injectable()
export class ScheduleCounts {
  runs = 0;
  published = 0;
  /** Records of the trash that were deleted for good. */
  removed = 0;
  /** Records that could not be published or deleted, and runs that came to nothing. */
  failures = 0;
}
