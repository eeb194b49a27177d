const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs work that Ctrl-C aborts instead of ending the process. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const end = new AbortController();
  const stop = () => end.abort();
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await work(end.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}
