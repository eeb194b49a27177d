import type { Request } from 'express';

/**
 * The `Allow` header: the methods of a route that this user may use on this record
 * (docs/behaviour/responses.md#headers). `ResourcesModule` provides it.
 */
export abstract class AllowedMethods {
  /** The header's text; undefined where no route matches. */
  abstract header(request: Request): Promise<string | undefined>;
}
