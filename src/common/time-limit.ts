/**
 * Runs work with a signal that aborts after so many milliseconds, with a `TimeoutError`, or with another signal. On Node 20
 * an `AbortSignal.timeout` that only `AbortSignal.any` refers to is collected as garbage, and never aborts.
 */
export async function withTimeLimit<T>(
  milliseconds: number,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new DOMException('The operation timed out.', 'TimeoutError')),
    milliseconds,
  );
  try {
    return await work(AbortSignal.any([late.signal, ...signals]));
  } finally {
    clearTimeout(timer);
  }
}
