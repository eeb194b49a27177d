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

/** Waits for work; throws the error of `onLate` if it takes longer than so many milliseconds. The work itself goes on. */
export async function failAfter<T>(milliseconds: number, work: Promise<T>, onLate: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onLate()), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
