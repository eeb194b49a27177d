/** An error on start that the operator can fix; logged without a stack trace. */
export class StartError extends Error {}
