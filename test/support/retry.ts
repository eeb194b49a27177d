/** The maximum of attempts. */
const TRIES = 10;

/** Retries an assertion that fails when a one-second poll falls into it, as on a busy machine; throws the last error. */
export async function retry<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left--)
    try {
      return await attempt();
    } catch (error) {
      if (left === 1) throw error;
    }
}
