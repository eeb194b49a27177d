import { type CustomDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';

const ALLOW_BATCH = 'almanac:allow-batch';

/**
 * Allows the writes of a handler, or of a controller, in `POST /batch/v1` (docs/behaviour/writes.md#batches). They must
 * write by Almanac's services or `Transactions`, which a request that is only checked does not get past.
 */
export const AllowBatch = (): CustomDecorator => SetMetadata(ALLOW_BATCH, true);

export const allowsBatch = (context: ExecutionContext): boolean =>
  [context.getHandler(), context.getClass()].some(
    (target) => Reflect.getMetadata(ALLOW_BATCH, target) === true,
  );
