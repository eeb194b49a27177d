/** Of how many tries one has to go well. */
const TRIES = 10;

/**
 * Tries again what goes well unless a second passes in the midst of it, as on a busy machine: caches look for changes once a
 * second. Throws as the last try did where none went well.
 */
export async function retry<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left--)
    try {
      return await attempt();
    } catch (error) {
      if (left === 1) throw error;
    }
}
