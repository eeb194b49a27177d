import { useEffect, useRef, useState } from 'preact/hooks';
import type { Row, Values } from './model.js';

/** What was typed into a form and not saved. */
export interface Draft {
  /** When it was typed, in epoch milliseconds. */
  at: number;
  /** `modified_utc` of the record that was open; empty for a new one. */
  version: string;
  /** The fields that differed from what was stored. */
  values: Values;
}

const PREFIX = 'almanac-draft:';
const PAUSE_MS = 500;
/** Drafts in one browser; the oldest ones are replaced. */
const MAX_DRAFTS = 20;
/** Thirty days in milliseconds. */
const MAX_AGE_MS = 2_592_000_000;

/** What the keys of a user's drafts begin with; the page's path tells sites of one host apart. */
const prefixOf = (userId: number): string => `${PREFIX}${location.pathname}:${userId}:`;

/** The key of a form's draft in the browser; drafts are offered to their own user only. */
export const draftKey = (userId: number, kind: string, id: number | undefined): string =>
  `${prefixOf(userId)}${kind}:${id ?? 'new'}`;

/** The version of a record, which every save changes. */
export const versionOf = (row: Row | undefined): string => String(row?.['modified_utc'] ?? '');

/**
 * Stores the changed fields of a form in the browser until they are saved or the form is left, and finds those that a
 * reload or a closed page left behind; `close` ends the offer. Does nothing without a key.
 */
export function useDraft(
  key: string | undefined,
  names: readonly string[],
  typed: Values,
  row: Row | undefined,
) {
  const [found, setFound] = useState(() => (key === undefined ? undefined : readDraft(key, names)));
  const isOffered = useRef(false);
  isOffered.current = found !== undefined;
  const text = JSON.stringify(typed);
  const version = versionOf(row);
  useEffect(() => {
    // While a draft is offered, nothing replaces it.
    if (key === undefined || found) return;
    if (text === '{}') return dropDraft(key);
    const timer = setTimeout(() => storeDraft(key, { at: Date.now(), version, values: typed }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key, text, version, found]);
  // Who leaves the form was asked; who reloads or closes the page finds the draft.
  useEffect(
    () => () => {
      if (key !== undefined && !isOffered.current) dropDraft(key);
    },
    [key],
  );
  return { found, close: () => setFound(undefined) };
}

/** Stores a draft in place of the oldest ones; does nothing where the browser has no storage or no room in it. */
function storeDraft(key: string, draft: Draft): void {
  attempt(() => {
    const others = draftKeys(PREFIX).filter((one) => one !== key);
    const byAge = others.sort((a, b) => (parseDraft(b)?.at ?? 0) - (parseDraft(a)?.at ?? 0));
    byAge.slice(MAX_DRAFTS - 1).forEach(dropDraft);
    localStorage.setItem(key, JSON.stringify(draft));
  });
}

/** The draft of a form, with the fields that the form has now. */
function readDraft(key: string, names: readonly string[]): Draft | undefined {
  const draft = parseDraft(key);
  if (!draft || draft.at + MAX_AGE_MS < Date.now()) return undefined;
  const known = Object.entries(draft.values).filter(([name]) => names.includes(name));
  return known.length > 0 ? { ...draft, values: Object.fromEntries(known) } : undefined;
}

/** A stored draft; undefined for other texts. */
function parseDraft(key: string): Draft | undefined {
  const stored = attempt(() => JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<Draft> | null);
  const { at, version, values } = stored ?? {};
  return typeof at === 'number' && typeof version === 'string' && values
    ? { at, version, values }
    : undefined;
}

function dropDraft(key: string): void {
  attempt(() => localStorage.removeItem(key));
}

/** Removes the drafts of a user who signs out. */
export function dropDrafts(userId: number): void {
  attempt(() => draftKeys(prefixOf(userId)).forEach(dropDraft));
}

const draftKeys = (prefix: string): string[] =>
  Object.keys(localStorage).filter((key) => key.startsWith(prefix));

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
