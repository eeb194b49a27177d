import { flag, httpUrl, InvalidValue, text } from '../parse-variable.js';
import { optional, variable } from './variable.js';

/** The variables of uploaded files, part of `VARIABLES`. */
export const UPLOAD_VARIABLES = {
  uploadsDir: optional(
    'UPLOADS_DIR',
    text,
    "The site's uploads folder (`wp-content/uploads`). Absent: `data/uploads` in the embedded demo; else, without `UPLOADS_S3_BUCKET`, uploads and images by URL are rejected; attachment ids work.",
  ),
  uploadsS3Bucket: optional(
    'UPLOADS_S3_BUCKET',
    bucketName,
    'Bucket of an S3-compatible store that holds the uploads instead of a folder ([docs/uploads-s3.md](docs/uploads-s3.md)). Credentials come from the usual variables and files of AWS, such as `AWS_ACCESS_KEY_ID`. Needs the package `@aws-sdk/client-s3`.',
  ),
  uploadsS3Region: optional(
    'UPLOADS_S3_REGION',
    text,
    "Region of the bucket, such as `eu-central-1`. Absent: that of AWS's own configuration (`AWS_REGION`), or `us-east-1` with an endpoint.",
  ),
  uploadsS3Endpoint: optional(
    'UPLOADS_S3_ENDPOINT',
    httpUrl,
    'Address of a store other than AWS, such as `https://minio.example.org:9000`.',
  ),
  uploadsS3Prefix: variable(
    'UPLOADS_S3_PREFIX',
    '',
    keyPrefix,
    'Start of the keys, such as `wp-content/uploads`; a file is then `wp-content/uploads/2026/11/hall.jpg`.',
  ),
  uploadsS3PathStyle: variable(
    'UPLOADS_S3_PATH_STYLE',
    'false',
    flag,
    'Name the bucket in the path of an address, not in its host, as most stores other than AWS need.',
  ),
  uploadsS3PublicUrl: optional(
    'UPLOADS_S3_PUBLIC_URL',
    httpUrl,
    "Public address of the files, the prefix included, such as `https://images.example.org/wp-content/uploads`: responses and pages then link to it. Absent: Almanac serves them at the site's own address of uploads.",
  ),
};

/** The name of a bucket. */
function bucketName(value: string): string {
  if (!/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i.test(value))
    throw new InvalidValue('must be the name of a bucket: 3 to 63 letters, digits, dots and hyphens');
  return value;
}

/** The start of keys in a bucket, returned with a slash at its end only; '' for none. */
function keyPrefix(value: string): string {
  const parts = value.replace(/^\/+|\/+$/g, '').split('/');
  if (parts.join('') === '') return '';
  if (!parts.every((part) => /^[\w .~()+=@-]+$/.test(part) && !/^\.+$/.test(part)))
    throw new InvalidValue('must be a path such as wp-content/uploads');
  return `${parts.join('/')}/`;
}
