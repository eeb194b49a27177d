/** Errors that one is followed back through. */
const MAX_CAUSES = 5;

/** An error with its stack, and those that caused it with theirs. */
export function errorText(error: unknown): string {
  const told: string[] = [];
  for (
    let one = error;
    one !== undefined && told.length < MAX_CAUSES;
    one = (one as { cause?: unknown })?.cause
  )
    told.push(one instanceof Error ? one.stack || String(one) : String(one));
  return told.join('\nCaused by: ');
}
