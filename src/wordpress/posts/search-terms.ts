const STOP_WORDS = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(
    ' ',
  ),
);

/** A search text taken apart: what must be found and what must not. */
export interface SearchTerms {
  wanted: string[];
  unwanted: string[];
}

/**
 * Splits a search: blanks separate, quotes hold a phrase together, a leading `-` excludes; stop words and single letters
 * are dropped. When nothing is left, or ten terms or more, the whole text is one term (events.md 3.6).
 */
export function searchTerms(text: string): SearchTerms {
  const parts = text.match(/"[^"]*"?|[^\s"]+/g) ?? [];
  const kept = parts.flatMap((part) => {
    const phrase = part.startsWith('"');
    const term = (phrase ? part.replaceAll('"', '') : part).trim();
    if (term === '' || term === '-') return [];
    if (!phrase && (/^[a-z]$/i.test(term) || STOP_WORDS.has(term.toLowerCase()))) return [];
    return [term];
  });
  if (kept.length === 0 || kept.length >= 10) return { wanted: [text], unwanted: [] };
  return {
    wanted: kept.filter((term) => !term.startsWith('-')),
    unwanted: kept.filter((term) => term.startsWith('-')).map((term) => term.slice(1)),
  };
}
