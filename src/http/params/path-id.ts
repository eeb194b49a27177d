import { Injectable, type PipeTransform } from '@nestjs/common';
import { noRoute } from '../errors/error-response.js';

/** The `<id>` of a path: only digits match the route; numbers above 2^53 match no record. */
@Injectable()
export class PathId implements PipeTransform<string, number> {
  transform(value: string): number {
    if (!/^\d+$/.test(value)) throw noRoute();
    return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
  }
}
