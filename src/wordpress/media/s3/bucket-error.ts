import { RestException } from '../../../common/errors/rest-exception.js';

interface SdkError extends Error {
  code?: string;
  $metadata?: { httpStatusCode?: number };
  $response?: { statusCode?: number };
}

/** The HTTP status of an error of the SDK; undefined without a response. */
export function statusOf(error: unknown): number | undefined {
  const { $metadata, $response } = error as SdkError;
  return $metadata?.httpStatusCode ?? $response?.statusCode;
}

/** Errors of the configuration, which no retry mends. */
const OWN_FAULTS = /^(?:CredentialsProviderError|TokenProviderError)$/;

/** What the log says of an error, and the exception for the client: 502 if the bucket rejects, 503 if it fails. */
export function bucketError(error: unknown): { problem: string; exception: RestException } {
  if (error instanceof RestException) return { problem: error.message, exception: error };
  const { name, message, code } = error as SdkError;
  const status = statusOf(error);
  const problem = [...new Set([status, name, code, message])].filter(Boolean).join(' ');
  const isRejected = OWN_FAULTS.test(name) || (status !== undefined && status >= 300 && status < 500);
  const exception =
    isRejected && status !== 429
      ? new RestException(
          'upstream',
          'uploads_rejected',
          "The store of uploads rejects the request: the server's log says why.",
          {},
          { cause: error },
        )
      : new RestException(
          'busy',
          'uploads_unavailable',
          'The store of uploads does not respond.',
          {},
          { cause: error },
        );
  return { problem, exception };
}
