import type { Readable } from 'node:stream';
import type { GetObjectCommandInput, S3Client } from '@aws-sdk/client-s3';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Environment } from '../../../config/env.js';
import { StartError } from '../../../database/start-error.js';
import { bucketError, statusOf } from './bucket-error.js';

type Sdk = typeof import('@aws-sdk/client-s3');

/** How long to wait for a connection, for the start of a response and for its next bytes, in milliseconds. */
const TIMEOUTS = { connectionTimeout: 3000, requestTimeout: 9000, socketTimeout: 20_000 };
/** The maximum duration of one operation with its second attempt, in milliseconds: writes hold the write lock. */
const MAX_OPERATION_MS = 10_000;
/** Statuses of a conditional or partial request, which are no errors. */
const PASSED_ON = [304, 412, 416];

/** What a client may ask of a file: a part of it, or only a version other than its own. */
export type ObjectRequest = Pick<
  GetObjectCommandInput,
  'Range' | 'IfMatch' | 'IfNoneMatch' | 'IfModifiedSince' | 'IfUnmodifiedSince'
>;

/** A file of the bucket, or the status of a request without one. */
export interface BucketObject {
  status: number;
  headers: Readonly<Record<string, string>>;
  body?: Readable;
}

/** The bucket of uploads: objects below `UPLOADS_S3_PREFIX`, by their paths such as `2026/11/hall.jpg`. */
@Injectable()
export class S3Bucket implements OnModuleInit, OnModuleDestroy {
  readonly isConfigured: boolean;
  private opened: Promise<{ sdk: Sdk; client: S3Client }> | undefined;
  /** The last problem, logged once. */
  private problem = '';
  private readonly logger = new Logger('Uploads');

  constructor(private readonly env: Environment) {
    this.isConfigured = env.uploadsS3Bucket !== undefined;
  }

  /** Throws `StartError` without the package, or without a region. */
  async onModuleInit(): Promise<void> {
    if (this.isConfigured) await this.open();
  }

  async onModuleDestroy(): Promise<void> {
    (await this.opened?.catch(() => undefined))?.client.destroy();
  }

  /** Stores a file, which browsers may keep for a day as those that Almanac serves. */
  async put(path: string, bytes: Buffer, mimeType: string): Promise<void> {
    const Key = this.keyOf(path);
    await this.run(`PUT ${path}`, ({ sdk, client }, at) =>
      client.send(
        new sdk.PutObjectCommand({
          ...at,
          Key,
          Body: bytes,
          ContentType: mimeType,
          CacheControl: 'public, max-age=86400',
        }),
        { abortSignal: AbortSignal.timeout(MAX_OPERATION_MS) },
      ),
    );
  }

  /** The names in a folder, such as `2026/11/` or '', that begin with a text. */
  async names(folder: string, start: string): Promise<string[]> {
    const Prefix = this.keyOf(`${folder}${start}`);
    const found: string[] = [];
    await this.run(`LIST ${folder}${start}`, async ({ sdk, client }, at) => {
      const abortSignal = AbortSignal.timeout(MAX_OPERATION_MS);
      for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
        const command = new sdk.ListObjectsV2Command({ ...at, Prefix, ContinuationToken: token });
        const page = await client.send(command, { abortSignal });
        for (const { Key = '' } of page.Contents ?? []) found.push(Key.slice(Prefix.length - start.length));
        token = page.IsTruncated ? page.NextContinuationToken : undefined;
      }
    });
    return found;
  }

  /** Deletes a file; a missing one is no error. */
  async remove(path: string): Promise<void> {
    const Key = this.keyOf(path);
    await this.run(`DELETE ${path}`, ({ sdk, client }, at) =>
      client.send(new sdk.DeleteObjectCommand({ ...at, Key }), {
        abortSignal: AbortSignal.timeout(MAX_OPERATION_MS),
      }),
    );
  }

  /** Opens a file, up to its first bytes; undefined without it. */
  async get(path: string, request: ObjectRequest): Promise<BucketObject | undefined> {
    const Key = this.keyOf(path);
    return this.run(`GET ${path}`, async ({ sdk, client }, at) => {
      try {
        const found = await client.send(new sdk.GetObjectCommand({ ...at, ...request, Key }));
        const body = found.Body as Readable;
        await hasBytes(body);
        return { status: found.$metadata.httpStatusCode ?? 200, body, headers: headersOf(found) };
      } catch (error) {
        if ((error as Error).name === 'NoSuchKey') return undefined;
        const status = statusOf(error) ?? 0;
        if (PASSED_ON.includes(status)) return { status, headers: {} };
        throw error;
      }
    });
  }

  /** The key of a path; paths are data of the site, so that one which leads elsewhere is an error. */
  private keyOf(path: string): string {
    const isPlain = path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
    if (!isPlain || /[\\\p{Cc}]/u.test(path)) throw new Error(`${path} leads out of the uploads`);
    return this.env.uploadsS3Prefix + path;
  }

  private async run<T>(
    name: string,
    work: (opened: { sdk: Sdk; client: S3Client }, at: { Bucket: string }) => Promise<T>,
  ): Promise<T> {
    const opened = await this.open();
    try {
      const result = await work(opened, { Bucket: this.env.uploadsS3Bucket ?? '' });
      this.problem = '';
      return result;
    } catch (error) {
      const { problem, exception } = bucketError(error);
      if (problem !== this.problem) this.logger.warn(`${name}: ${problem}`);
      this.problem = problem;
      throw exception;
    }
  }

  private open() {
    this.opened ??= this.connect();
    return this.opened;
  }

  private async connect(): Promise<{ sdk: Sdk; client: S3Client }> {
    const { uploadsS3Region, uploadsS3Endpoint: endpoint, uploadsS3PathStyle: forcePathStyle } = this.env;
    const sdk = await import('@aws-sdk/client-s3').catch(() => {
      throw new StartError(
        'UPLOADS_S3_BUCKET needs a package that is not installed: npm install @aws-sdk/client-s3',
      );
    });
    const region = uploadsS3Region ?? (endpoint && (process.env['AWS_REGION'] || 'us-east-1'));
    const client = new sdk.S3Client({
      ...(region && { region }),
      ...(endpoint && { endpoint }),
      forcePathStyle,
      maxAttempts: 2,
      requestHandler: { ...TIMEOUTS, throwOnRequestTimeout: true },
      // Other stores do not know the SDK's newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    await client.config.region().catch(() => {
      throw new StartError(
        'UPLOADS_S3_BUCKET needs UPLOADS_S3_REGION, or a region in the configuration of AWS.',
      );
    });
    return { sdk, client };
  }
}

/** Waits for the first bytes of a body, or its end; throws its error. */
function hasBytes(body: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    body.once('readable', resolve).once('error', reject).once('end', resolve);
    body.once('close', () => reject(new Error('the response ended early')));
  });
}

function headersOf(found: {
  ContentLength?: number | undefined;
  ContentRange?: string | undefined;
  ETag?: string | undefined;
  LastModified?: Date | undefined;
}): Record<string, string> {
  return {
    ...(found.ContentLength !== undefined && { 'Content-Length': String(found.ContentLength) }),
    ...(found.ContentRange && { 'Content-Range': found.ContentRange }),
    ...(found.ETag && { ETag: found.ETag }),
    ...(found.LastModified && { 'Last-Modified': found.LastModified.toUTCString() }),
  };
}
