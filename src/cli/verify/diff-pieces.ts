/** Look-ahead for the next common piece, and maximum pieces per text. */
const AHEAD = 300;
const MAX_COUNT = 5000;

/** Diffs two HTML texts by tags and the text between them; undefined if they are too long or too different. */
export function diffPieces(old: string, now: string): [old: string, now: string][] | undefined {
  const [before, after] = [piecesOf(old), piecesOf(now)];
  if (before.length > MAX_COUNT || after.length > MAX_COUNT) return undefined;
  const changes: [string, string][] = [];
  let [at, to] = [0, 0];
  while (at < before.length || to < after.length) {
    if (before[at] === after[to]) {
      at += 1;
      to += 1;
      continue;
    }
    const next = nextCommon(before, at, after, to);
    changes.push([before.slice(at, next.at).join(''), after.slice(to, next.to).join('')]);
    [at, to] = [next.at, next.to];
    if (changes.length > 50) return undefined;
  }
  return changes;
}

const piecesOf = (text: string): string[] =>
  text.split(/(?=<)|(?<=>)/).filter((piece) => piece.trim() !== '');

/** The nearest position where two consecutive pieces match, or the end. */
function nextCommon(before: string[], at: number, after: string[], to: number): { at: number; to: number } {
  for (let skipped = 1; skipped < AHEAD; skipped++)
    for (let ahead = 0; ahead <= skipped; ahead++) {
      const [one, other] = [at + ahead, to + skipped - ahead];
      if (one >= before.length || other >= after.length) continue;
      if (before[one] === after[other] && before[one + 1] === after[other + 1]) return { at: one, to: other };
    }
  return { at: before.length, to: after.length };
}
