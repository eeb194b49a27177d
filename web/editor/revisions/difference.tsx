import { diffWordsWithSpace } from 'diff';
import { TEXTS } from '../catalogue.js';

/** Longer texts, in characters of both, would take seconds. */
const MAX_LENGTH = 20_000;

interface DifferenceProps {
  label: string;
  before: string;
  after: string;
}

/** Two versions of a text as one; nothing where they are equal. */
export function Difference({ label, before, after }: DifferenceProps) {
  if (before === after) return null;
  const isLong = before.length + after.length > MAX_LENGTH;
  return (
    <>
      <h3>{label}</h3>
      {isLong ? (
        <p class="muted">{TEXTS.revisions.long}</p>
      ) : (
        <p class="difference" dir="auto">
          {diffWordsWithSpace(before, after).map(({ value, added, removed }, place) => {
            if (!added && !removed) return value;
            const Tag = added ? 'ins' : 'del';
            return (
              <Tag key={place}>
                <span class="unseen"> {added ? TEXTS.revisions.after : TEXTS.revisions.before} </span>
                {value}
              </Tag>
            );
          })}
        </p>
      )}
    </>
  );
}
