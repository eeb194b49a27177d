/** The maximum of logged causes. */
const MAX_CAUSES = 5;

/** The stack of an error and of its causes. */
export function errorText(error: unknown): string {
  const stacks: string[] = [];
  for (
    let one = error;
    one !== undefined && stacks.length < MAX_CAUSES;
    one = (one as { cause?: unknown })?.cause
  )
    stacks.push(one instanceof Error ? one.stack || String(one) : String(one));
  return stacks.join('\nCaused by: ');
}
