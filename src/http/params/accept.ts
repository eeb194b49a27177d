import type { Request } from 'express';

/** Whether the client is a browser: those prefer HTML, programs accept anything. */
export const prefersPage = (request: Request): boolean =>
  /^(GET|HEAD)$/.test(request.method) && request.accepts(['json', 'html']) === 'html';

/** Whether an `Accept` header names a media type and prefers it to JSON. */
export function prefersToJson(type: string, accept = ''): boolean {
  const ranges = new Map(accept.toLowerCase().split(',').map(rangeOf));
  const preferred = ranges.get(type) ?? 0;
  const json = ranges.get('application/json') ?? ranges.get('application/*') ?? ranges.get('*/*') ?? 0;
  return preferred > json;
}

/** Splits `text/html;q=0.5` into type and quality. */
function rangeOf(text: string): [name: string, quality: number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim());
  const quality = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
  return [name, Number(quality) || 0];
}
