/** A server-sent event. */
export interface SentEvent {
  id?: string;
  event?: string;
  data?: string;
}

/** Reads server-sent events; comments keep it alive, and a silence of so many milliseconds ends it. */
export async function* sentEvents(
  body: ReadableStream<Uint8Array>,
  maxSilence: number,
): AsyncGenerator<SentEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), maxSilence);
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

async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError('The stream is silent.')), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
