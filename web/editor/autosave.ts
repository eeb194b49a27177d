import { useEffect, useRef, useState } from 'preact/hooks';
import type { Value, Values } from './model.js';

/** What was typed into a form and not saved. */
export interface Draft {
  /** When it was typed, in epoch milliseconds. */
  at: number;
  /** The fields that differed from what was stored. */
  values: Values;
}

const PAUSE_MS = 500;
const PREFIX = 'almanac-draft:';

/** The key of a form's draft in the browser; drafts are offered to their own user only. */
export const draftKey = (userId: number, kind: string, id: number | undefined): string =>
  `${PREFIX}${userId}:${kind}:${id ?? 'new'}`;

/**
 * Stores the changed fields of a form in the browser until they are saved or the form is left, and finds those that a
 * reload or a closed page left behind; `close` ends the offer. Does nothing without a key.
 */
export function useDraft(key: string | undefined, names: readonly string[], typed: Values) {
  const [found, setFound] = useState(() => (key === undefined ? undefined : readDraft(key, names)));
  const isOffered = useRef(false);
  isOffered.current = found !== undefined;
  const text = JSON.stringify(typed);
  useEffect(() => {
    // While a draft is offered, nothing replaces it.
    if (key === undefined || found) return;
    if (text === '{}') return dropDraft(key);
    const timer = setTimeout(() => storeDraft(key, text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key, text, found]);
  // Who leaves the form was asked; who reloads or closes the page finds the draft.
  useEffect(
    () => () => {
      if (key !== undefined && !isOffered.current) dropDraft(key);
    },
    [key],
  );
  return { found, close: () => setFound(undefined) };
}

/** Does nothing where the browser has no storage or no room in it. */
function storeDraft(key: string, values: string): void {
  attempt(() => localStorage.setItem(key, `{"at":${Date.now()},"values":${values}}`));
}

/** The draft of a form, with the fields that the form has now. */
function readDraft(key: string, names: readonly string[]): Draft | undefined {
  const stored = attempt(() => JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<Draft> | null);
  if (typeof stored?.at !== 'number' || typeof stored.values !== 'object') return undefined;
  const known = Object.entries(stored.values ?? {}).filter((entry): entry is [string, Value] =>
    names.includes(entry[0]),
  );
  return known.length > 0 ? { at: stored.at, values: Object.fromEntries(known) } : undefined;
}

function dropDraft(key: string): void {
  attempt(() => localStorage.removeItem(key));
}

/** Removes all drafts, when their user signs out. */
export function dropDrafts(): void {
  attempt(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  });
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
