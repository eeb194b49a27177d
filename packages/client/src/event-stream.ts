/** A server-sent event. */
export interface SentEvent {
  id?: string;
  event?: string;
  data?: string;
}

/**
 * Reads server-sent events; comments keep it alive, and a silence of so many milliseconds ends it. The signal
 * ends it here, as Node forgets the signals of long responses.
 */
export async function* sentEvents(
  body: ReadableStream<Uint8Array>,
  maxSilence: number,
  signal?: AbortSignal,
): AsyncGenerator<SentEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), maxSilence, signal);
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) yield toEvent(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function toEvent(block: string): SentEvent {
  const fields = block.split('\n').map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at), line.slice(at + 1).trimStart()];
  });
  return Object.fromEntries(fields);
}

/** Waits for work; rejects after so many milliseconds, or with the signal's reason. */
async function inTime<T>(work: Promise<T>, milliseconds: number, signal?: AbortSignal): Promise<T> {
  let end = () => {};
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new TypeError('The stream is silent.')), milliseconds);
    const stop = () => reject(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
    end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
  });
  return Promise.race([work, late]).finally(end);
}
