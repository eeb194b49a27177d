import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../http/request-context.js';
import type { PostResource, Resource, TermResource } from './resource.js';

/** Reads records of one resource, many at a time. */
export interface RecordReader {
  /** Records as their own routes show them, by id, read from the database; those that no list shows to the user are missing. */
  readMany(ids: readonly number[], context: RequestContext): Promise<ReadonlyMap<number, object>>;
}

/** Reads posts of one resource. */
export interface PostRecordReader extends RecordReader {
  /** Records as lists show them; those that the user may not read are missing. */
  some(ids: readonly number[], context: RequestContext): Promise<object[]>;
}

/** The readers of all resources; the services of resources add themselves. */
@Injectable()
export class RecordReaders {
  private readonly readers = new Map<string, RecordReader>();

  add(resource: PostResource, reader: PostRecordReader): void;
  add(resource: TermResource, reader: RecordReader): void;
  add({ path }: Resource, reader: RecordReader): void {
    this.readers.set(path, reader);
  }

  /** The reader of a resource; undefined where no service reads its records. */
  of(resource: PostResource): PostRecordReader | undefined;
  of(resource: Resource): RecordReader | undefined;
  of({ path }: Resource): RecordReader | undefined {
    return this.readers.get(path);
  }
}
