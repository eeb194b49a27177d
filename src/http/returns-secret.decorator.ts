import { type CustomDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';

const RETURNS_SECRET = 'almanac:returns-secret';

/** Keeps responses of a handler, which hold a secret, from being stored for an `Idempotency-Key`: they are made again. */
export const ReturnsSecret = (): CustomDecorator => SetMetadata(RETURNS_SECRET, true);

export const returnsSecret = (context: ExecutionContext): boolean =>
  Reflect.getMetadata(RETURNS_SECRET, context.getHandler()) === true;
